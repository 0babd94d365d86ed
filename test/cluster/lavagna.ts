import { type ServiceProcess, startServiceProcess } from '../../bench/processes/service-process.ts';
import { migrate } from '../../db/operator/database/migrate.ts';
import { createClient } from '../faults/outages/client.ts';
import type { Restaurant } from '../faults/outages/restaurant.ts';
import { plantWithToken } from '../support/admin.ts';
import { restaurantOf, sectionOf } from '../support/restaurant.ts';
import { untilStatus } from '../support/until.ts';
import type { Cluster } from './cluster.ts';

const GATEWAYS = 4;
const WORKERS = 2;
const RESTAURANTS = 12;

/** The paths that readers ask for; each gateway has them in memory. */
export const HOT_PATHS = ['/menu', '/menu/it', '/restaurant', '/categories'];

export interface ClusterRestaurant extends Restaurant {
  id: number;
}

/** Four gateways, each on a port of its own, and two workers. */
export interface Lavagna {
  gateways: readonly ServiceProcess[];
  workers: readonly ServiceProcess[];
  restaurants: readonly ClusterRestaurant[];
}

async function makeRestaurants(url: string): Promise<ClusterRestaurant[]> {
  const made: ClusterRestaurant[] = [];
  for (let number = 1; number <= RESTAURANTS; number += 1) {
    const slug = `osteria-${number}`;
    const planted = await plantWithToken(url, restaurantOf(slug, [sectionOf('Primi')]));
    made.push({ ...planted, id: planted.tenantId, host: `${slug}.localhost` });
  }
  return made;
}

/** Reads what readers are going to ask for into the memory of a gateway. */
async function warmUp({ port }: ServiceProcess, hosts: readonly string[]): Promise<void> {
  for (const host of hosts) {
    const client = createClient(port, host, 1);
    for (const path of HOT_PATHS) {
      await untilStatus(`${path} is not served`, 200, () => client.call({ path }));
    }
    client.close();
  }
}

export async function startLavagna({ poolUrl, sessionUrl }: Cluster): Promise<Lavagna> {
  await migrate(sessionUrl);
  const restaurants = await makeRestaurants(sessionUrl);
  const env = { DATABASE_SESSION_URL: sessionUrl, LOG_LEVEL: 'info' };
  const start = async (file: ServiceProcess['file'], count: number) => {
    const processes: ServiceProcess[] = [];
    // One after the other, which a busy machine does within the bound of each.
    while (processes.length < count) {
      processes.push(await startServiceProcess(file, poolUrl, { env }));
    }
    return processes;
  };
  const gateways = await start('gateway/main.ts', GATEWAYS);
  const workers = await start('workers/main.ts', WORKERS);
  const hosts = restaurants.map(({ host }) => host);
  await Promise.all(gateways.map((gateway) => warmUp(gateway, hosts)));
  return { gateways, workers, restaurants };
}
