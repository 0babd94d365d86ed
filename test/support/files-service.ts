import type { Database } from '../../db/postgres/connection.ts';
import { sql as statement } from '../../db/postgres/sql.ts';
import { deleteTenant } from '../../db/sql/tenants.ts';
import { createTestDatabase } from './database.ts';
import { afterFile, afterFiles } from './for-file.ts';
import { startTestGateway, type TestGateway } from './gateway.ts';
import { openDatabase } from './restaurant.ts';
import type { RunSql } from './sql.ts';
import { until } from './until.ts';
import { startTestWorker, type TestWorker } from './worker.ts';

/** The parts that the files of a process share, one file after the other. */
export interface SharedService {
  databaseUrl: string;
  sql: RunSql;
  db: Database;
  gateway: TestGateway;
  worker: TestWorker;
}

let started: Promise<SharedService> | undefined;
let isTaken = false;

/** One that a test ends would be missed by the files that follow. */
async function refuseStop(): Promise<never> {
  throw new Error('other files use it, too: ask for a service `alone`');
}

async function start(): Promise<SharedService> {
  const { url: databaseUrl, sql, drop } = await createTestDatabase();
  const db = await openDatabase(databaseUrl);
  const gateway = await startTestGateway(databaseUrl);
  const worker = await startTestWorker(databaseUrl);
  afterFiles(async () => {
    await worker.stop();
    await gateway.stop();
    await db.end();
    await drop();
  });
  return {
    ...{ databaseUrl, sql, db },
    gateway: { ...gateway, stop: refuseStop },
    worker: { ...worker, stop: refuseStop },
  };
}

/** Resolves when the gateway says of each restaurant that it is there, or that it is not. */
export async function untilKnown(
  gateway: TestGateway,
  slugs: readonly string[],
  isThere: boolean,
): Promise<void> {
  const status = isThere ? 200 : 404;
  await Promise.all(
    slugs.map((slug) =>
      until(`${slug}: not ${status} in time`, async () => {
        return (await gateway.client(slug).get('/theme')).status === status;
      }),
    ),
  );
}

/** Tables with rows that no restaurant takes along. */
const OF_NOBODY = [
  ['photo_contents'],
  ['platform_actions'],
  ['platform_tokens'],
  ['pgboss', 'job'],
] as const;

/**
 * Removes what a file leaves: the next one may have restaurants of the same names. Their records have
 * the same ids, from 1 on; restaurants have others, by which gateways and workers know them.
 */
export async function clearShared({ sql, db, gateway, worker }: SharedService): Promise<void> {
  const restaurants = await sql('select id, slug from tenants');
  for (const { id } of restaurants) await db.transaction((tx) => deleteTenant(tx, id));
  // The worker may end a job meanwhile: a transaction is tried again after a deadlock.
  await db.transaction(async (tx) => {
    for (const table of OF_NOBODY) {
      await tx.run(statement.nothing`delete from ${statement.identifier(table)}`);
    }
  });
  await sql`select setval(format('public.%I', sequencename)::regclass, start_value, false)
    from pg_sequences where schemaname = 'public' and last_value is not null
      and sequencename <> 'tenants_id_seq'`;
  const slugs = restaurants.map(({ slug }) => slug);
  await untilKnown(gateway, slugs, false);
  gateway.checkLog();
  worker.checkLog();
}

/** The service that the files of this process share; cleared when the tests of the file have ended. */
export function sharedService(): Promise<SharedService> {
  started ??= start();
  const service = started;
  // Before anything is waited for: the runner would take what follows for the file that started it.
  if (!isTaken) {
    isTaken = true;
    afterFile(async () => {
      isTaken = false;
      await clearShared(await service).catch((error) => {
        // Its rows would fail the files that follow: they get another service.
        started = undefined;
        throw error;
      });
    });
  }
  return service;
}
