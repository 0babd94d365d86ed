import type { Loader } from '../load/generator.ts';
import type { CannonJob, LoadJob, LoadReport } from '../load/job.ts';
import type { Server } from '../peers/peer.ts';
import { cpuTime } from '../processes/usage.ts';
import { type Figure, figure } from './interval.ts';

/** One server under one load, to be compared with others. */
export interface Contestant {
  name: string;
  server: Server;
  /** The load of one round; a function where every round must ask for something new. */
  job: CannonJob | ((round: number) => CannonJob);
}

/** What was measured of a contestant. */
export interface Row {
  name: string;
  requestsPerSecond: Figure;
  /** Response times in milliseconds. */
  p50: Figure;
  p99: Figure;
  p999: Figure;
  /** CPU time of the server's own processes for one request, in microseconds. */
  cpu: Figure;
  /** Share of one core that the server used. */
  busy: number;
}

export interface ContestOptions {
  loader: Loader;
  rounds: number;
  /** Seconds of load on each contestant before the first round. */
  warmUp: number;
  progress(line: string): void;
}

type Sample = LoadReport & { cpu: number };

/** Makes one load and takes the server's CPU time meanwhile, in microseconds. */
export async function sample(loader: Loader, server: Server, job: LoadJob): Promise<Sample> {
  const before = cpuTime(server.pids);
  const report = await loader.run(job);
  return { ...report, cpu: cpuTime(server.pids) - before };
}

function summarize(name: string, samples: readonly Sample[]): Row {
  const over = (read: (sample: Sample) => number) => figure(samples.map(read));
  return {
    name,
    requestsPerSecond: over(({ requests, seconds }) => requests / seconds),
    p50: over(({ p50 }) => p50),
    p99: over(({ p99 }) => p99),
    p999: over(({ p999 }) => p999),
    cpu: over(({ cpu, requests }) => cpu / requests),
    busy: over(({ cpu, seconds }) => cpu / (seconds * 1_000_000)).median,
  };
}

/**
 * Measures the contestants in turn, round after round, so that what slows the machine for a while
 * slows all of them. A round that does not count warms them up.
 */
export async function compare(
  contestants: readonly Contestant[],
  { loader, rounds, warmUp, progress }: ContestOptions,
): Promise<Row[]> {
  const samples = contestants.map((): Sample[] => []);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [i, { name, server, job }] of contestants.entries()) {
      const load = typeof job === 'function' ? job(round) : job;
      if (round === 0) {
        progress(`warm-up: ${name}`);
        await loader.run({ ...load, seconds: warmUp });
      } else {
        progress(`round ${round} of ${rounds}: ${name}`);
        samples[i]?.push(await sample(loader, server, load));
      }
    }
  }
  return contestants.map(({ name }, i) => summarize(name, samples[i] ?? []));
}
