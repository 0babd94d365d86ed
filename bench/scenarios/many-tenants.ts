import type { Stage } from '../environment.ts';
import { cannon, type LoadRequest } from '../load/job.ts';
import { type Gateway, startGateway } from '../processes/lavagna.ts';
import { costRatio } from '../report.ts';
import type { Scenario } from '../scenario.ts';

/** Room for the snapshots of 10,000 restaurants, in MiB. */
const CACHE_MB = '2048';
const FEW = 10;
const DRAWS = 50_000;
/** The walk over all tenants is no measurement and may be patient. */
const WALK_CONNECTIONS = 10;

function menuOf(stage: Stage, slug: string): LoadRequest {
  const headers = { Host: stage.host(slug), 'Accept-Encoding': 'br' };
  return { path: '/api/v1/menu', headers };
}

/** A generator with a seed, so that every run draws the same tenants (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Zipf's law: the n-th most popular restaurant is asked for 1/n as often as the first. */
function drawSkewed(slugs: readonly string[], draws: number): string[] {
  const random = seeded(7);
  const sums: number[] = [];
  let sum = 0;
  for (let rank = 1; rank <= slugs.length; rank += 1) {
    sum += 1 / rank;
    sums.push(sum);
  }
  return Array.from({ length: draws }, () => {
    const at = random() * sum;
    let low = 0;
    let high = sums.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) < at) low = middle + 1;
      else high = middle;
    }
    return slugs[low] ?? '';
  });
}

async function walk(stage: Stage, gateway: Gateway, slugs: readonly string[]): Promise<void> {
  await stage.loader.run({
    kind: 'cannon',
    port: gateway.port,
    connections: WALK_CONNECTIONS,
    requests: slugs.map((slug) => menuOf(stage, slug)),
    expectedStatus: 200,
  });
}

/** Whether the number of restaurants changes what a hot read costs. */
export const manyTenants: Scenario = {
  name: 'many-tenants',
  run: async (stage) => {
    const { lavagna, slugs, size } = stage;
    const options = { env: { SNAPSHOT_CACHE_MB: CACHE_MB } };
    const [few, many] = await Promise.all([
      startGateway('gateway with few tenants', lavagna.databaseUrl, options),
      startGateway('gateway with many tenants', lavagna.databaseUrl, options),
    ]);
    try {
      const generated = slugs.slice(2);
      await walk(stage, few, generated.slice(0, FEW));
      await walk(stage, many, generated);
      const [hot = ''] = generated;
      const one = [menuOf(stage, hot)];
      const skewed = drawSkewed(generated, DRAWS).map((slug) => menuOf(stage, slug));
      const count = generated.length.toLocaleString('en-GB');
      const rows = await stage.compare([
        {
          name: `one menu, ${FEW} tenants in memory`,
          server: few,
          job: cannon(few.port, one, size.seconds),
        },
        {
          name: `the same menu, ${count} tenants in memory`,
          server: many,
          job: cannon(many.port, one, size.seconds),
        },
        {
          name: `${count} menus, chosen by Zipf's law`,
          server: many,
          job: cannon(many.port, skewed, size.seconds),
        },
      ]);
      const [first, second] = rows;
      const goals =
        first && second
          ? [
              {
                text: `CPU of a hot read with ${count} tenants ÷ with ${FEW}`,
                measured: costRatio(second, first),
                atMost: 1.05,
              },
            ]
          : [];
      return [{ title: `Ten tenants and ${count}, /menu, br`, rows, goals }];
    } finally {
      await Promise.all([few.stop(), many.stop()]);
    }
  },
};
