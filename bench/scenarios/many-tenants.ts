import type { Environment } from '../environment.ts';
import { type LoadRequest, timedLoad } from '../load/job.ts';
import { createRandom } from '../load/random.ts';
import { type Gateway, startGateway } from '../processes/lavagna.ts';
import { atMost, costRatio, type Finding } from '../result.ts';
import type { Scenario } from '../scenario.ts';

/** Enough for the snapshots of 10,000 restaurants, in MiB. */
const CACHE_MB = '2048';
const FEW = 10;
const DRAWS = 50_000;
/** Connections of the unmeasured first read of every menu. */
const WALK_CONNECTIONS = 10;

function menuOf(environment: Environment, slug: string): LoadRequest {
  const headers = { Host: environment.host(slug), 'Accept-Encoding': 'br' };
  return { path: '/api/v1/menu', headers };
}

/** Zipf's law: the n-th most popular restaurant is read 1/n times as often as the first. */
function drawSkewed(slugs: readonly string[], draws: number): string[] {
  const random = createRandom(7);
  const sums: number[] = [];
  let sum = 0;
  for (let rank = 1; rank <= slugs.length; rank += 1) {
    sum += 1 / rank;
    sums.push(sum);
  }
  return Array.from({ length: draws }, () => {
    const at = random.next() * sum;
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

async function readAll(
  environment: Environment,
  gateway: Gateway,
  slugs: readonly string[],
): Promise<void> {
  await environment.load.run({
    kind: 'requests',
    port: gateway.port,
    connections: WALK_CONNECTIONS,
    requests: slugs.map((slug) => menuOf(environment, slug)),
    expectedStatus: 200,
  });
}

/** CPU of a hot read with few and with many restaurants in memory. */
export const manyTenants: Scenario = {
  name: 'many-tenants',
  run: async (environment) => {
    const { lavagna, slugs, size } = environment;
    const options = { env: { SNAPSHOT_CACHE_MB: CACHE_MB } };
    const [few, many] = await Promise.all([
      startGateway('gateway with few tenants', lavagna.databaseUrl, options),
      startGateway('gateway with many tenants', lavagna.databaseUrl, options),
    ]);
    try {
      const generated = slugs.slice(2);
      await readAll(environment, few, generated.slice(0, FEW));
      await readAll(environment, many, generated);
      const [hot = ''] = generated;
      const one = [menuOf(environment, hot)];
      const skewed = drawSkewed(generated, DRAWS).map((slug) => menuOf(environment, slug));
      const count = generated.length.toLocaleString('en-GB');
      const rows = await environment.compare([
        {
          name: `one menu, ${FEW} tenants in memory`,
          server: few,
          job: timedLoad(few.port, one, size.seconds),
        },
        {
          name: `the same menu, ${count} tenants in memory`,
          server: many,
          job: timedLoad(many.port, one, size.seconds),
        },
        {
          name: `${count} menus, chosen by Zipf's law`,
          server: many,
          job: timedLoad(many.port, skewed, size.seconds),
        },
      ]);
      const [first, second] = rows;
      const finding: Finding = { title: `Ten tenants and ${count}, /menu, br`, rows };
      if (first && second) {
        const text = `CPU of a hot read with ${count} tenants ÷ with ${FEW}`;
        finding.goals = [atMost(text, costRatio(second, first), 1.05)];
      }
      return [finding];
    } finally {
      await Promise.all([few.stop(), many.stop()]);
    }
  },
};
