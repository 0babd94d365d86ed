import type { LoadJob, LoadReport, RequestsJob } from '../load/job.ts';
import type { LoadGenerator } from '../load/load-generator.ts';
import type { Server } from '../peers/peer.ts';
import { cpuTime } from '../processes/usage.ts';
import type { Row } from '../result.ts';
import { medianAndRange } from './median.ts';

/** One server under one load, to be compared with others. */
export interface Candidate {
  name: string;
  server: Server;
  /** The load of one round; a function where every round needs new requests. */
  job: RequestsJob | ((round: number) => RequestsJob);
}

interface ComparisonOptions {
  load: LoadGenerator;
  rounds: number;
  /** Seconds of load on each server before the first round. */
  warmUp: number;
  progress(line: string): void;
}

type Sample = LoadReport & { cpu: number };

/** Sends one load; `cpu` is the server's CPU time meanwhile, in microseconds. */
export async function measureLoad(
  load: LoadGenerator,
  server: Server,
  job: LoadJob,
): Promise<Sample> {
  const before = cpuTime(server.pids);
  const report = await load.run(job);
  return { ...report, cpu: cpuTime(server.pids) - before };
}

function rowOf(name: string, samples: readonly Sample[]): Row {
  const over = (read: (sample: Sample) => number) => medianAndRange(samples.map(read));
  return {
    name,
    requestsPerSecond: over(({ requests, seconds }) => requests / seconds),
    p50: over(({ p50 }) => p50),
    p99: over(({ p99 }) => p99),
    p999: over(({ p999 }) => p999),
    cpu: over(({ cpu, requests }) => cpu / requests),
    core: over(({ cpu, seconds }) => cpu / (seconds * 1_000_000)).median,
  };
}

/**
 * Measures the servers in alternating rounds, so that a slow minute of the machine slows all of them.
 * A first round warms them up and does not count.
 */
export async function compare(
  candidates: readonly Candidate[],
  { load, rounds, warmUp, progress }: ComparisonOptions,
): Promise<Row[]> {
  const samples = candidates.map((): Sample[] => []);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [i, { name, server, job }] of candidates.entries()) {
      const current = typeof job === 'function' ? job(round) : job;
      if (round === 0) {
        progress(`warm-up: ${name}`);
        await load.run({ ...current, seconds: warmUp });
      } else {
        progress(`round ${round} of ${rounds}: ${name}`);
        samples[i]?.push(await measureLoad(load, server, current));
      }
    }
  }
  return candidates.map(({ name }, i) => rowOf(name, samples[i] ?? []));
}
