import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../environment.ts';
import { createClient } from '../load/client.ts';
import { type RequestsJob, timedLoad } from '../load/job.ts';
import { openRestaurant } from '../load/restaurant.ts';
import { duringTraffic, EVENTS_PER_SECOND, WRITES_PER_SECOND } from '../load/traffic.ts';
import { measureLoad } from '../measure/comparison.ts';
import { medianAndRange } from '../measure/median.ts';
import { cpuTime } from '../processes/usage.ts';
import { atMost, type Finding } from '../result.ts';
import type { Scenario } from '../scenario.ts';

type DuringTraffic = <T>(work: () => Promise<T>) => Promise<T>;

/** CPU time of the gateway for a read, alone and beside the traffic. */
async function measureReads(
  { lavagna, load, size, progress }: Environment,
  job: RequestsJob,
  during: DuringTraffic,
): Promise<Finding> {
  const { gateway } = lavagna;
  const rounds: Record<'alone' | 'beside' | 'p99Alone' | 'p99Beside' | 'core', number[]> = {
    ...{ alone: [], beside: [], p99Alone: [], p99Beside: [], core: [] },
  };
  await load.run(job);
  for (let round = 1; round <= size.rounds; round += 1) {
    progress(`round ${round} of ${size.rounds}`);
    const calm = await measureLoad(load, gateway, job);
    const before = cpuTime(gateway.pids);
    await during(() => sleep(size.seconds * 1_000));
    const own = (cpuTime(gateway.pids) - before) / size.seconds;
    const both = await during(() => measureLoad(load, gateway, job));
    rounds.alone.push(calm.cpu / calm.requests);
    rounds.beside.push((both.cpu - own * both.seconds) / both.requests);
    rounds.p99Alone.push(calm.p99);
    rounds.p99Beside.push(both.p99);
    rounds.core.push(own / 10_000);
  }
  const [alone, beside] = [medianAndRange(rounds.alone), medianAndRange(rounds.beside)];
  return {
    title: `Reads beside ${WRITES_PER_SECOND} writes and ${EVENTS_PER_SECOND} events a second, one restaurant`,
    note: 'The CPU time of the writes and events is subtracted.',
    figures: [
      { name: 'reads alone', unit: 'µs', ...alone },
      { name: 'reads beside them', unit: 'µs', ...beside },
      { name: 'p99 of reads alone', unit: 'ms', ...medianAndRange(rounds.p99Alone) },
      { name: 'p99 of reads beside them', unit: 'ms', ...medianAndRange(rounds.p99Beside) },
      { name: 'the writes and events alone', unit: '% of a core', ...medianAndRange(rounds.core) },
    ],
    goals: [
      atMost('CPU of a read beside writes and events ÷ alone', beside.median / alone.median, 1.05),
    ],
  };
}

/** Reads beside writes and events, all of the demo restaurant with 109 dishes in five languages. */
export const busy: Scenario = {
  name: 'busy',
  run: async (environment) => {
    const { lavagna, slugs, host, size } = environment;
    const { port } = lavagna.gateway;
    using client = createClient(port);
    const restaurant = await openRestaurant(client, slugs[0] ?? '');
    // Compressed answers follow a write later, so all reads are of the uncompressed one.
    const request = { path: '/api/v1/menu', headers: { Host: host(restaurant.slug) } };
    const job = timedLoad(port, [request], size.seconds);
    return [
      await measureReads(environment, job, (work) => duringTraffic(client, restaurant, work)),
    ];
  },
};
