import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Member } from '../stage/member.ts';
import { createClient } from './client.ts';
import { createEvents, type SentEvent, type World } from './generator.ts';
import { createRandom } from './random.ts';
import { readReports } from './read-reports.ts';
import { recount } from './recount.ts';
import type { Stage } from './stage.ts';

const DAY = 86_400_000;
const SENDERS = 4;
const GATEWAYS = 2;
const WORKERS = 2;
/** Pause between two kills, in ms, at most. */
const MAX_KILL_PAUSE = 1_500;
const DRAIN_BOUND = 300_000;

/** Processes of one kind that are killed at random and replaced. */
interface Mortals {
  live: Member[];
  kill(): Promise<void>;
}

async function createMortals(count: number, start: (port?: number) => Promise<Member>) {
  const live: Member[] = [];
  for (let i = 0; i < count; i += 1) live.push(await start());
  const mortals: Mortals = {
    live,
    kill: async () => {
      const victim = live.shift();
      if (!victim) return;
      await victim.kill();
      live.push(await start(victim.port));
    },
  };
  return mortals;
}

/** Sends events until each request has been answered 202, however often that takes. */
function createSender(stage: Stage, gateways: Mortals, accepted: SentEvent[]) {
  const client = createClient(stage.host);
  const count = { requests: 0, repeats: 0 };
  const post = async (events: readonly SentEvent[], attempt: number): Promise<boolean> => {
    const gateway = gateways.live[attempt % Math.max(gateways.live.length, 1)];
    if (!gateway) return false;
    const body = JSON.stringify(events);
    try {
      const answer = await client.send(gateway.port, 'POST', '/analytics/events', { body });
      return answer.status === 202;
    } catch {
      // Killed in the middle: nobody knows whether these are kept, so they are sent again.
      return false;
    }
  };
  return {
    count,
    close: client.close,
    send: async (events: readonly SentEvent[]) => {
      for (let attempt = count.requests; ; attempt += 1) {
        count.requests += 1;
        if (await post(events, attempt)) break;
        count.repeats += 1;
        await sleep(20);
      }
      for (const event of events) accepted.push(event);
    },
  };
}

async function sendAll(
  total: number,
  seed: number,
  world: World,
  send: (events: SentEvent[]) => Promise<void>,
) {
  const one = async (index: number) => {
    const next = createEvents(seed + index * 1_000_003, world);
    const random = createRandom(seed - index);
    for (let sent = 0; sent < total / SENDERS; ) {
      const events = Array.from({ length: 1 + random.below(100) }, next);
      sent += events.length;
      await send(events);
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, (_, index) => one(index)));
}

async function drain(stage: Stage): Promise<void> {
  const bound = Date.now() + DRAIN_BOUND;
  while ((await stage.backlog()) > 0) {
    if (Date.now() > bound) throw new Error('the backlog does not go');
    await sleep(100);
  }
}

/** Kills one process after the other until it is told to stop; says how many. */
async function killUntil(done: AbortSignal, seed: number, kinds: Record<string, Mortals>) {
  const random = createRandom(seed);
  const kills: Record<string, number> = {};
  while (!done.aborted) {
    await sleep(random.below(MAX_KILL_PAUSE));
    const kind = random.pick(Object.keys(kinds));
    await kinds[kind]?.kill();
    kills[kind] = (kills[kind] ?? 0) + 1;
  }
  return kills;
}

/** Whether the reports are a plain recount of all that was answered 202, whoever was killed. */
export async function exactness(stage: Stage, total: number, seed: number): Promise<boolean> {
  const gateways = await createMortals(GATEWAYS, stage.startGateway);
  const workers = await createMortals(WORKERS, stage.startWorker);
  const now = Date.now();
  const { items, sections } = stage;
  const world = { items, sections, from: now - 6 * DAY, to: now, visitors: 4_000 };
  const accepted: SentEvent[] = [];
  const sender = createSender(stage, gateways, accepted);
  const sent = new AbortController();
  const killing = killUntil(sent.signal, seed, { gateways, workers });
  const started = performance.now();
  await sendAll(total, seed, world, sender.send);
  sent.abort();
  const kills = await killing;
  const sentAfter = (performance.now() - started) / 1_000;
  await drain(stage);
  const port = gateways.live[0]?.port ?? 0;
  const client = createClient(stage.host);
  const read = async (path: string) => {
    const { token } = stage;
    const answer = await client.send(port, 'GET', `/admin/analytics/${path}`, { token });
    return JSON.parse(answer.text).data;
  };
  const day = (age: number) => new Date(now - age * DAY).toISOString().slice(0, 10);
  const reported = await readReports(read, `from=${day(8)}&to=${day(-2)}&limit=1000`);
  // Holds whole months, which are stored by themselves.
  const longer = await readReports(read, `from=${day(45)}&to=${day(-45)}&limit=1000`);
  const counted = recount(accepted, 'Europe/Rome', { items, sections });
  const equal = isDeepStrictEqual(reported, counted) && isDeepStrictEqual(longer, counted);
  console.log(
    JSON.stringify({
      ...{ scenario: 'exactness', seed, equal, accepted: accepted.length, kills },
      ...{ ...sender.count, seconds: Math.round(sentAfter), reported: reported.total },
      ...(!equal && { counted: counted.total }),
    }),
  );
  client.close();
  sender.close();
  for (const process of [...gateways.live, ...workers.live]) await process.stop();
  return equal;
}
