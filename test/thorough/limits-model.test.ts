// Random requests, clocks, restarts, losses and gateways, against what the specification promises.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Decision, type Journey, LimitWorld, UNDECIDED } from '../support/limit-world.ts';
import { seed } from '../support/seed.ts';
import { often } from '../support/thorough.ts';

const LENGTH = 60_000;
const WAIT_BOUND = 200;
const RUNS = often(700, 3_500);
console.log(`limits-model: SEED=${seed}`);

type Step =
  | { kind: 'burst'; gateway: number; client: number; n: number }
  | { kind: 'pass'; duration: number }
  | { kind: 'kill' | 'restart'; gateway: number };

interface Story {
  limit: number;
  maxWindows: number;
  clocks: number[];
  tableClock: number;
  journeys: Journey[];
  steps: Step[];
}

const CLIENTS = 4;
const clock = fc.integer({ min: -1e9, max: 1e9 });

function storyOf(options: {
  gateways: [min: number, max: number];
  kinds: ('kill' | 'restart')[];
  journey: fc.Arbitrary<Journey>;
}): fc.Arbitrary<Story> {
  const gateway = fc.nat(options.gateways[1] - 1);
  const step: fc.Arbitrary<Step> = fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        kind: fc.constant('burst' as const),
        gateway,
        client: fc.nat(CLIENTS - 1),
        n: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 10, max: 60 })),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('pass' as const),
        duration: fc.oneof(
          { weight: 6, arbitrary: fc.integer({ min: 0, max: 30 }) },
          { weight: 2, arbitrary: fc.integer({ min: 30, max: 5_000 }) },
          { weight: 2, arbitrary: fc.integer({ min: LENGTH - 60, max: LENGTH + 60 }) },
        ),
      }),
    },
    ...options.kinds.map((kind) => ({
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant(kind), gateway }),
    })),
  );
  return fc.record({
    limit: fc.constantFrom(24, 48, 120),
    maxWindows: fc.constantFrom(2, 100),
    clocks: fc.array(clock, { minLength: options.gateways[0], maxLength: options.gateways[1] }),
    tableClock: clock,
    journeys: fc.array(options.journey, { minLength: 1, maxLength: 8 }),
    steps: fc.array(step, { minLength: 5, maxLength: 50 }),
  });
}

const healthy: fc.Arbitrary<Journey> = fc.record({
  there: fc.integer({ min: 0, max: 15 }),
  back: fc.integer({ min: 0, max: 15 }),
  fate: fc.constant('heard' as const),
});
const ROUND_TRIP = 30;
const failing: fc.Arbitrary<Journey> = fc.record({
  there: fc.oneof(fc.integer({ min: 0, max: 15 }), fc.integer({ min: 100, max: 2_000 })),
  back: fc.oneof(fc.integer({ min: 0, max: 15 }), fc.integer({ min: 100, max: 2_000 })),
  fate: fc.constantFrom('heard' as const, 'lost' as const, 'unheard' as const),
});
const LONGEST_TRIP = 4_000;

async function tell(story: Story, believed: number): Promise<LimitWorld> {
  const { steps, ...options } = story;
  const world = new LimitWorld({ ...options, believed, length: LENGTH, waitBound: WAIT_BOUND });
  const gatewayOf = (n: number) => n % story.clocks.length;
  for (const step of steps) {
    if (step.kind === 'pass') await world.pass(step.duration);
    else if (step.kind === 'burst') world.burst(gatewayOf(step.gateway), step.client, step.n);
    else if (step.kind === 'kill') world.kill(gatewayOf(step.gateway));
    else await world.restart(gatewayOf(step.gateway));
  }
  await world.settle();
  assert.equal(world.waiting.size, 0, 'a request is still waiting');
  return world;
}

function decisionsOf(world: LimitWorld, client: number): Decision[] {
  return world.decisions.filter((decision) => decision.client === client);
}

/** No client is refused that has not used its limit within the last minute. */
function assertFair(world: LimitWorld, limit: number, lateness: number): void {
  for (let client = 0; client < CLIENTS; client += 1) {
    const decisions = decisionsOf(world, client);
    // A request that ended with its gateway may have been admitted, or not.
    const admitted = decisions.filter(({ verdict }) => verdict.admitted || verdict === UNDECIDED);
    for (const decision of decisions) {
      if (decision.verdict.admitted || decision.verdict === UNDECIDED) continue;
      // Those who wait count as well: he comes after them.
      const since = decision.askedAt - LENGTH - lateness;
      const until = Math.max(decision.askedAt + lateness, decision.decidedAt);
      const recent = admitted.filter(
        ({ askedAt, decidedAt }) => decidedAt >= since && askedAt <= until,
      ).length;
      assert.ok(recent >= limit, `client ${client} was refused after ${recent} of ${limit}`);
      const { resetIn } = decision.verdict;
      assert.ok(resetIn <= LENGTH + lateness, `client ${client} has to wait ${resetIn} ms`);
    }
  }
}

interface Reading {
  start: number;
  count: number;
  most: number;
}

/**
 * The most that a client was admitted in one of its windows. Their ends are known to `lateness`:
 * what was admitted around one may belong to either window, so every reading is followed and the
 * kindest counts.
 */
function mostInAWindow(decisions: Decision[], lateness: number): number {
  let readings: Reading[] = [{ start: Number.NEGATIVE_INFINITY, count: 0, most: 0 }];
  const inOrder = decisions.toSorted((a, b) => a.decidedAt - b.decidedAt);
  for (const { askedAt, decidedAt, verdict } of inOrder) {
    // A request that died with its gateway may have begun a window, and may not.
    const added = verdict.admitted ? 1 : 0;
    if (added === 0 && verdict !== UNDECIDED) continue;
    const next = new Map<string, Reading>();
    const keep = (start: number, count: number, before: number) => {
      const [key, most] = [`${start}/${count}`, Math.max(before, count)];
      if (most <= (next.get(key)?.most ?? most)) next.set(key, { start, count, most });
    };
    for (const { start, count, most } of readings) {
      const isOver = decidedAt >= start + LENGTH;
      if (isOver) keep(askedAt, added, most);
      if (!isOver || added === 0 || askedAt < start + LENGTH + lateness) {
        keep(start, count + added, most);
      }
    }
    readings = [...next.values()];
  }
  return Math.min(...readings.map(({ most }) => most));
}

/** One gateway: each admission takes one from what was left, and a refusal finds nothing left. */
function assertExact(decisions: Decision[], limit: number, lateness: number): void {
  let [start, left] = [Number.NEGATIVE_INFINITY, 0];
  for (const { askedAt, decidedAt, verdict } of decisions) {
    // At the very end of a window it is Postgres' clock that tells which one it is.
    if (decidedAt >= start + LENGTH && askedAt < start + LENGTH + lateness) return;
    const isWithin = askedAt < start + LENGTH;
    if (!verdict.admitted) {
      assert.ok(isWithin && left === 0, `refused at ${askedAt} with ${left} left`);
    } else if (isWithin && verdict.remaining === left - 1) {
      left -= 1;
    } else {
      assert.equal(verdict.remaining, limit - 1, `${left} were left at ${askedAt}`);
      assert.ok(decidedAt >= start + LENGTH, `a new window at ${askedAt}, after ${start}`);
      [start, left] = [askedAt, limit - 1];
    }
  }
}

const check = (stories: fc.Arbitrary<Story>, verify: (story: Story) => Promise<void>) =>
  fc.assert(fc.asyncProperty(stories, verify), { numRuns: RUNS, seed, includeErrorInReport: true });

test('one gateway is exact, restarts and evictions included', async () => {
  const stories = storyOf({ gateways: [1, 1], kinds: ['restart'], journey: healthy });
  await check(stories, async (story) => {
    const world = await tell(story, 1);
    assertFair(world, story.limit, ROUND_TRIP);
    for (let client = 0; client < CLIENTS; client += 1) {
      assertExact(decisionsOf(world, client), story.limit, ROUND_TRIP);
    }
  });
});

test('several gateways and kills: no client is refused unfairly, and the leak is bounded', async () => {
  const stories = storyOf({ gateways: [1, 4], kinds: ['restart', 'kill'], journey: healthy });
  await check(stories, async (story) => {
    const gateways = story.clocks.length;
    const world = await tell(story, gateways);
    assertFair(world, story.limit, ROUND_TRIP);
    const allowed = Math.max(1, Math.floor(story.limit / 24));
    const kills = story.steps.filter(({ kind }) => kind === 'kill').length;
    // At the end of a window one gateway, too, may take a request for one of the next.
    const leak = Math.max(gateways - 1, allowed) + kills * allowed;
    for (let client = 0; client < CLIENTS; client += 1) {
      const most = mostInAWindow(decisionsOf(world, client), ROUND_TRIP);
      assert.ok(most <= story.limit + leak, `${most} of ${story.limit} with ${gateways} gateways`);
    }
  });
});

test('lost and late statements: everybody is decided, fairly, and the counts meet again', async () => {
  const stories = storyOf({ gateways: [1, 3], kinds: [], journey: failing });
  await check(stories, async (story) => {
    // The last statement is heard: Postgres is back.
    const journeys: Journey[] = [...story.journeys, { there: 1, back: 1, fate: 'heard' }];
    const gateways = story.clocks.length;
    const world = await tell({ ...story, journeys, maxWindows: 100 }, gateways);
    assertFair(world, story.limit, LONGEST_TRIP);
    for (let client = 0; client < CLIENTS; client += 1) {
      const decisions = decisionsOf(world, client);
      const most = mostInAWindow(decisions, LONGEST_TRIP);
      // Each decides alone; ends that are known late by a long trip let windows meet.
      assert.ok(most <= 2 * gateways * story.limit, `${most} with ${gateways} gateways`);
      const admitted = decisions.filter(({ verdict }) => verdict.admitted);
      const since = world.time - LENGTH - LONGEST_TRIP;
      const counted = world.counted(client);
      // Postgres may have granted what waited and was refused here, when its answer was unheard.
      const countable = decisions.filter(
        ({ askedAt, decidedAt, verdict }) =>
          decidedAt >= since && (verdict.admitted || decidedAt > askedAt),
      ).length;
      assert.ok(counted <= countable, `${counted} were counted of ${countable}`);
      const isOneWindow = world.time < LENGTH;
      if (gateways === 1 && isOneWindow) assert.equal(counted, admitted.length);
    }
  });
});
