import { type Client, createClient } from '../load/client.ts';
import { readPage, signIn } from '../load/panel-client.ts';
import { openRestaurant, type Restaurant } from '../load/restaurant.ts';
import { LARGE_MENU, largeMenu, sendMenu } from '../load/whole-menus.ts';
import { runCli } from '../processes/cli.ts';
import { startLavagna } from '../processes/lavagna.ts';
import { startTimedGateway, type TimedGateway } from '../processes/measured-gateway.ts';
import { withFolder } from '../processes/temporary-folder.ts';
import { atMost, type Figure, type Goal } from '../result.ts';
import type { Scenario } from '../scenario.ts';

/** Others on the machine make single times longer: the least of so many is the work's own. */
const REPEATS = 5;
const MOST_MS = 5;
const SLUG = 'pizzeria';

/** The requests of admins that are long for a gateway. */
async function requestsOf(
  gateway: TimedGateway,
  client: Client,
  env: Record<string, string>,
  { headers }: Restaurant,
): Promise<[name: string, send: () => Promise<unknown>][]> {
  const read = (path: string) => client.expect(200, SLUG, { path, headers });
  const first = await client.expect(202, SLUG, {
    ...{ method: 'PUT', path: '/admin/import?dry_run=1', body: largeMenu(3) },
    headers: { ...headers, Prefer: 'respond-async' },
  });
  const job = String(first.headers.location).replace('/api/v1', '');
  while ((await client.call(SLUG, { path: job, headers })).status === 202);
  const browser = await signIn(gateway.port, env, SLUG);
  return [
    ['result of an import', () => read(job)],
    ['export', () => read('/admin/export')],
    ['export as a table', () => read('/admin/export?format=csv')],
    ['list of the panel', () => readPage(gateway.port, '/admin/menu?q=', browser)],
  ];
}

/** How long requests of admins keep a gateway from guests, with the largest menu. */
export const slices: Scenario = {
  name: 'slices',
  run: ({ progress }) =>
    withFolder('slices', async (dataDir) => {
      const env = { DATA_DIR: dataDir };
      progress('importing the largest menu');
      await runCli(env, 'demo', '--tenants', '1');
      await using lavagna = await startLavagna(dataDir);
      await using gateway = await startTimedGateway('timed gateway', lavagna.databaseUrl, dataDir);
      using client = createClient(gateway.port);
      const empty = await openRestaurant(client, SLUG);
      await sendMenu(client, empty, largeMenu(1), '', 'large');
      const requests = await requestsOf(gateway, client, env, empty);
      const figures: Figure[] = [];
      const goals: Goal[] = [];
      for (const [name, send] of requests) {
        progress(name);
        const longest: number[] = [];
        for (let count = 0; count < REPEATS; count += 1) {
          await gateway.longest();
          await send();
          longest.push(await gateway.longest());
        }
        const median = Math.min(...longest);
        figures.push({ name, unit: 'ms', median });
        goals.push(atMost(`ms in one go of a gateway: ${name}`, median, MOST_MS));
      }
      const title = `Requests of admins with ${LARGE_MENU.dishes} dishes in five languages`;
      return [{ title, figures, goals }];
    }),
};
