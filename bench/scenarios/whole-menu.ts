import { createClient } from '../load/client.ts';
import { openRestaurant } from '../load/restaurant.ts';
import { LARGE_MENU, largeMenu, sendMenu } from '../load/whole-menus.ts';
import { runCli } from '../processes/cli.ts';
import { startLavagna } from '../processes/lavagna.ts';
import { postmasterPid } from '../processes/postgres.ts';
import { type ServiceProcess, startServiceProcess } from '../processes/service-process.ts';
import { withFolder } from '../processes/temporary-folder.ts';
import { cpuTime, peakMb, treeCpuTime } from '../processes/usage.ts';
import { atMost, type Figure, type Finding, type Goal } from '../result.ts';
import type { Scenario } from '../scenario.ts';

/** The seconds that each step may take, as in the first release with whole menus. */
const STEPS = [
  ['dry run', '?dry_run=1', 1, 0.94],
  ['apply', '', 1, 1.3],
  ['apply again', '', 1, 0.94],
  ['change every price', '', 2, 0.97],
] as const;
const MOST_MIB = { gateway: 200, worker: 256 };

interface Setup {
  send(document: object, query: string, key: string): Promise<number>;
  gateway: Pick<ServiceProcess, 'pid'>;
  worker: Pick<ServiceProcess, 'pid'>;
  /** Undefined where Postgres is not ours. */
  postmaster: number | undefined;
}

/** CPU time of each kind of process, in ms. */
function cpuTimes({ gateway, worker, postmaster }: Setup): Map<string, number> {
  const times = new Map([
    ['the gateway', cpuTime([gateway.pid]) / 1_000],
    ['the worker', cpuTime([worker.pid]) / 1_000],
  ]);
  if (postmaster !== undefined) times.set('Postgres', treeCpuTime(postmaster) / 1_000);
  return times;
}

/** Seconds, CPU and memory of each step. */
async function measure(setup: Setup): Promise<Finding> {
  const figures: Figure[] = [];
  const goals: Goal[] = [];
  for (const [name, query, price, bound] of STEPS) {
    const before = cpuTimes(setup);
    const seconds = await setup.send(largeMenu(price), query, name.replaceAll(' ', '-'));
    figures.push({ name, unit: 's', median: seconds });
    goals.push(atMost(`s, ${name}`, seconds, bound));
    for (const [process, used] of cpuTimes(setup)) {
      const median = used - (before.get(process) ?? 0);
      figures.push({ name: `${name}: CPU of ${process}`, unit: 'ms', median });
    }
  }
  for (const process of ['gateway', 'worker'] as const) {
    const peak = peakMb(setup[process].pid);
    figures.push({ name: `${process}: most memory`, unit: 'MiB', median: peak });
    goals.push(atMost(`MiB of the ${process}`, peak, MOST_MIB[process]));
  }
  return { title: `One menu of ${LARGE_MENU.dishes} dishes in five languages`, figures, goals };
}

/** A whole menu as one write: tried, applied, and applied with other prices. */
export const wholeMenu: Scenario = {
  name: 'whole-menu',
  run: ({ progress }) =>
    withFolder('whole-menu', async (dataDir) => {
      const env = { DATA_DIR: dataDir };
      progress('planting the demo');
      await runCli(env, 'demo', '--tenants', '1');
      await using lavagna = await startLavagna(dataDir, { FORMATION: 'gateway=1,worker=0' });
      using client = createClient(lavagna.gateway.port);
      await using worker = await startServiceProcess('workers/main.ts', lavagna.databaseUrl);
      const restaurant = await openRestaurant(client, 'pizzeria');
      progress('importing');
      const { gateway } = lavagna;
      const postmaster = postmasterPid(lavagna.pid);
      const send: Setup['send'] = (...menu) => sendMenu(client, restaurant, ...menu);
      return [await measure({ send, gateway, worker, postmaster })];
    }),
};
