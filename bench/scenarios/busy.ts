import { setTimeout as sleep } from 'node:timers/promises';
import type { Stage } from '../environment.ts';
import { type Client, createClient } from '../load/client.ts';
import type { Reply } from '../load/http-call.ts';
import { type CannonJob, cannon } from '../load/job.ts';
import { sample } from '../measure/comparison.ts';
import { type Figure, figure } from '../measure/interval.ts';
import { adminHeaders } from '../processes/cli.ts';
import { cpuTime } from '../processes/usage.ts';
import type { Finding, Scenario } from '../scenario.ts';
import { describeLatencies } from '../writes/quantiles.ts';

const WRITES = 100;
const PAUSE_MS = 25;
/** What pours in beside the reads. */
const WRITES_PER_SECOND = 10;
const BATCHES_PER_SECOND = 50;
const EVENTS_PER_BATCH = 20;

/** The restaurant that is read and written: the demo's, with 109 dishes in five languages. */
interface Target {
  slug: string;
  headers: Record<string, string>;
  dishId: number;
}

async function prepare({ dataDir, slugs }: Stage, client: Client): Promise<Target> {
  const slug = slugs[0] ?? '';
  const headers = await adminHeaders({ DATA_DIR: dataDir }, slug);
  const { data } = JSON.parse((await client.call(slug, { path: '/items?per_page=1' })).text);
  return { slug, headers, dishId: data[0].id };
}

function expectStatus({ status, text }: Reply, wanted: number): void {
  if (status !== wanted) throw new Error(`expected ${wanted}, got ${status}: ${text}`);
}

/** What displays and integrators send beside the reads that are measured. */
function createTraffic(client: Client, { slug, headers, dishId }: Target) {
  const write = async (price: number) => {
    const path = `/admin/items/${dishId}`;
    const reply = await client.call(slug, { method: 'PUT', path, headers, body: { price } });
    expectStatus(reply, 200);
    return reply.took;
  };
  const report = async () => {
    const event = { type: 'item_view', item_id: dishId, locale: 'it', visitor_id: 'bench' };
    const body = Array.from({ length: EVENTS_PER_BATCH }, () => event);
    expectStatus(await client.call(slug, { method: 'POST', path: '/analytics/events', body }), 202);
  };
  /** Sends both until `work` is done; fails when one of them was refused. */
  const during = async <T>(work: () => Promise<T>): Promise<T> => {
    const sent: Promise<unknown>[] = [];
    let price = 0;
    const timers = [
      setInterval(() => {
        price = (price + 1) % 50;
        sent.push(write(price));
      }, 1_000 / WRITES_PER_SECOND),
      setInterval(() => sent.push(report()), 1_000 / BATCHES_PER_SECOND),
    ];
    const result = await work();
    for (const timer of timers) clearInterval(timer);
    await Promise.all(sent);
    return result;
  };
  return { write, during };
}

type Traffic = ReturnType<typeof createTraffic>;

async function measureWrites(traffic: Traffic): Promise<Finding> {
  const took: number[] = [];
  for (let count = 0; count < WRITES; count += 1) {
    took.push(await traffic.write(count % 50));
    await sleep(PAUSE_MS);
  }
  return {
    title: 'Admin write to 200, idle, one after the other',
    facts: [['PUT of a price, 109 dishes in five languages', describeLatencies(took)]],
  };
}

/** CPU time of the gateway for a read, alone and beside the traffic, in microseconds. */
async function measureReads(stage: Stage, job: CannonJob, traffic: Traffic): Promise<Finding> {
  const { lavagna, loader, size } = stage;
  const alone: number[] = [];
  const beside: number[] = [];
  const latencies: { alone: number[]; beside: number[] } = { alone: [], beside: [] };
  const core: number[] = [];
  await loader.run(job);
  for (let round = 1; round <= size.rounds; round += 1) {
    stage.progress(`round ${round} of ${size.rounds}`);
    const calm = await sample(loader, lavagna.gateway, job);
    const before = cpuTime(lavagna.gateway.pids);
    await traffic.during(() => sleep(size.seconds * 1_000));
    const own = (cpuTime(lavagna.gateway.pids) - before) / size.seconds;
    const both = await traffic.during(() => sample(loader, lavagna.gateway, job));
    alone.push(calm.cpu / calm.requests);
    beside.push((both.cpu - own * both.seconds) / both.requests);
    latencies.alone.push(calm.p99);
    latencies.beside.push(both.p99);
    core.push(own / 10_000);
  }
  const text = ({ median, min, max }: Figure, digits: number) =>
    `${median.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`;
  const [calm, busy] = [figure(alone), figure(beside)];
  return {
    title: `Reads while ${WRITES_PER_SECOND} writes and ${
      BATCHES_PER_SECOND * EVENTS_PER_BATCH
    } events a second pour in for the same restaurant`,
    note: 'The CPU time that the gateway takes for the writes and events alone is not counted.',
    facts: [
      ['reads alone', `${text(calm, 1)} µs`],
      ['reads beside them', `${text(busy, 1)} µs`],
      ['p99 of reads alone', `${text(figure(latencies.alone), 2)} ms`],
      ['p99 of reads beside them', `${text(figure(latencies.beside), 2)} ms`],
      ['gateway for the writes and events alone', `${text(figure(core), 1)} % of a core`],
    ],
    goals: [
      {
        text: 'CPU of a read beside writes and events ÷ of a read alone',
        measured: busy.median / calm.median,
        atMost: 1.05,
      },
    ],
  };
}

/** Writes, and reads beside writes and events, all of one restaurant. */
export const busy: Scenario = {
  name: 'busy',
  run: async (stage) => {
    const { gateway } = stage.lavagna;
    const client = createClient(gateway.port);
    try {
      const target = await prepare(stage, client);
      const traffic = createTraffic(client, target);
      const writes = await measureWrites(traffic);
      // Compressed answers follow a write later: all reads are of the plain one.
      const request = { path: '/api/v1/menu', headers: { Host: stage.host(target.slug) } };
      const job = cannon(gateway.port, [request], stage.size.seconds);
      return [writes, await measureReads(stage, job, traffic)];
    } finally {
      client.close();
    }
  },
};
