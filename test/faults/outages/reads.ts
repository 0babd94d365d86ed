import { setTimeout as sleep } from 'node:timers/promises';
import { percentilesOf } from '../../../bench/load/percentiles.ts';
import { type Client, createClient } from './client.ts';

export interface ReadReport {
  sent: number;
  /** Answered with what was asked for. */
  good: number;
  /** No answer at all. */
  lost: number;
  /** Answered with something else, by status. */
  refused: Record<number, number>;
  /** Sent again, because an idle connection had been closed. */
  repeated: number;
  /** Longest time between two good answers to anybody, in ms. */
  longestGap: number;
  /** Of the good answers, in ms. */
  p50: number;
  p99: number;
  slowest: number;
  /** The first failure. */
  firstFailure: string;
}

interface Reads {
  /** Stops asking and says what came of it. */
  stop(): Promise<ReadReport>;
}

interface ReadOptions {
  port: number;
  host: string;
  paths: readonly string[];
  readers: number;
  /** Pause of a reader between two requests, in ms. */
  pause: number;
}

/** Readers that ask again and again, each on a connection that it keeps. */
export function startReads(options: ReadOptions): Reads {
  const { port, host, paths, readers, pause } = options;
  const took: number[] = [];
  const refused: Record<number, number> = {};
  let [sent, lost, longestGap, lastGood] = [0, 0, 0, performance.now()];
  let firstFailure = '';
  let stopped = false;

  const ask = async (client: Client, path: string) => {
    sent += 1;
    try {
      const answer = await client.call({ path });
      if (answer.status !== 200) {
        refused[answer.status] = (refused[answer.status] ?? 0) + 1;
        firstFailure ||= `${path}: ${answer.status}`;
        return;
      }
      took.push(answer.took);
      longestGap = Math.max(longestGap, performance.now() - lastGood);
      lastGood = performance.now();
    } catch (error) {
      lost += 1;
      firstFailure ||= `${path}: ${error}`;
    }
  };
  const clients = Array.from({ length: readers }, () => createClient(port, host, 1));
  const running = clients.map(async (client, index) => {
    for (let turn = index; !stopped; turn += 1) {
      await ask(client, paths[turn % paths.length] as string);
      await sleep(pause);
    }
  });

  return {
    stop: async () => {
      stopped = true;
      await Promise.all(running);
      longestGap = Math.max(longestGap, performance.now() - lastGood);
      const repeated = clients.reduce((sum, client) => sum + client.repeated(), 0);
      for (const client of clients) client.close();
      const { p50, p99, max: slowest } = percentilesOf(took);
      const good = took.length;
      const counts = { sent, good, lost, refused, repeated, longestGap, firstFailure };
      return { ...counts, p50, p99, slowest };
    },
  };
}
