import type { Environment } from '../environment.ts';
import { loopbackOf, PER_ADDRESS } from '../load/addresses.ts';
import { createClient } from '../load/client.ts';
import { type LoadRequest, timedLoad } from '../load/job.ts';
import { drawSkewed } from '../load/random.ts';
import { type Captured, capture } from '../measure/capture.ts';
import { hasNginx, startNginxOfMany } from '../peers/nginx.ts';
import { type Server, startBareOfMany } from '../peers/peer.ts';
import { type Gateway, startGateway } from '../processes/lavagna.ts';
import { group } from '../processes/running.ts';
import { atMost, costRatio, type Goal, type Row } from '../result.ts';
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

/** The answers of all menus, by their Host header. */
async function captureAll(
  environment: Environment,
  gateway: Gateway,
  slugs: readonly string[],
): Promise<Map<string, Captured>> {
  const menus = new Map<string, Captured>();
  for (const slug of slugs) {
    const { path, headers } = menuOf(environment, slug);
    menus.set(environment.host(slug), await capture(gateway.port, path, headers));
  }
  return menus;
}

async function readAll({ port }: Gateway, slugs: readonly string[]): Promise<void> {
  for (let first = 0; first < slugs.length; first += PER_ADDRESS) {
    using client = createClient(port, WALK_CONNECTIONS, loopbackOf(first));
    const some = slugs.slice(first, first + PER_ADDRESS);
    const call = { path: '/menu', headers: { 'Accept-Encoding': 'br' } };
    await Promise.all(some.map((slug) => client.expect(200, slug, call)));
  }
}

/** Servers of the same menus, chosen from by the same law. */
async function startPeers(menus: ReadonlyMap<string, Captured>): Promise<Server[]> {
  const starts = hasNginx ? [startBareOfMany, startNginxOfMany] : [startBareOfMany];
  const servers: Server[] = [];
  for (const start of starts) servers.push(await start(menus));
  return servers;
}

function goalsOf(rows: readonly Row[], count: string): Goal[] {
  const [few, many, skewed, bare] = rows;
  if (!few || !many || !skewed || !bare) return [];
  const alone = `CPU of a hot read with ${count} tenants ÷ with ${FEW}`;
  const zipf = `CPU of ${count} menus by Zipf's law ÷ of a bare server with them by host`;
  return [atMost(alone, costRatio(many, few), 1.05), atMost(zipf, costRatio(skewed, bare), 1.25)];
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
    await using servers = group<Server>(few, many);
    const generated = slugs.slice(2);
    await readAll(few, generated.slice(0, FEW));
    await readAll(many, generated);
    const peers = await startPeers(await captureAll(environment, many, generated));
    servers.push(...peers);
    const [hot = ''] = generated;
    const one = [menuOf(environment, hot)];
    const skewed = drawSkewed(generated, DRAWS).map((slug) => menuOf(environment, slug));
    const count = generated.length.toLocaleString('en-GB');
    const candidate = (name: string, server: Server, requests: LoadRequest[]) => ({
      ...{ name, server },
      job: timedLoad(server.port, requests, size.seconds),
    });
    const byLaw = `${count} menus, chosen by Zipf's law`;
    const rows = await environment.compare([
      candidate(`one menu, ${FEW} tenants in memory`, few, one),
      candidate(`the same menu, ${count} tenants in memory`, many, one),
      candidate(byLaw, many, skewed),
      ...peers.map((peer) => candidate(`${peer.name}, ${byLaw}`, peer, skewed)),
    ]);
    const title = `Ten tenants and ${count}, /menu, br`;
    return [{ title, rows, goals: goalsOf(rows, count) }];
  },
};
