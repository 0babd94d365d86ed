// `node --import tsx test/faults/outages/main.ts <scenario>`, each with a Postgres of its own:
//   rolling          restarts four gateways on one port and two workers, one by one, under load
//   outage [mishap]  takes Postgres away for 30 s: kill (default), stop or freeze; as root also
//                    full and full-log, which fill its disk

import { startFormation } from './formation.ts';
import { outage } from './outage.ts';
import { MISHAPS, type Mishap, withPostgres } from './postgres.ts';
import { printOutage, printRolling } from './print.ts';
import { makeRestaurant, makeSection } from './restaurant.ts';
import { rollOver } from './rolling.ts';
import { NoSmallDiskError } from './small-disk.ts';

const ROLLING = { gateways: 4, workers: 2, readers: 16, pause: 2_000 };
const OUTAGE_MS = 30_000;

const scenarios: Record<string, (mishap: Mishap) => Promise<boolean>> = {
  rolling: () =>
    withPostgres(null, async ({ url }) => {
      const tenant = await makeRestaurant(url);
      return printRolling(await rollOver(url, tenant, ROLLING));
    }),
  outage: (mishap) =>
    withPostgres(mishap, async (postgres) => {
      const tenant = await makeRestaurant(postgres.url);
      const { url: databaseUrl } = postgres;
      const formation = await startFormation({ databaseUrl, gateways: 1, workers: 1 });
      try {
        const restaurant = await makeSection(formation.port, tenant);
        return printOutage(await outage(postgres, formation, restaurant, mishap, OUTAGE_MS));
      } finally {
        await formation.stop();
      }
    }),
};

const mishap = MISHAPS.find((name) => name === (process.argv[3] ?? 'kill'));
const run = scenarios[process.argv[2] ?? ''];
if (!run) {
  console.error(`Name one of: ${Object.keys(scenarios).join(', ')}.`);
  process.exitCode = 2;
} else if (!mishap) {
  console.error(`Name one of: ${MISHAPS.join(', ')}.`);
  process.exitCode = 2;
} else {
  try {
    process.exitCode = (await run(mishap)) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof NoSmallDiskError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
