import type { DemoRestaurant } from '../../db/operator/demo/restaurant.ts';
import type { Database } from '../../db/postgres/connection.ts';
import { certain } from '../../db/runtime/certain.ts';
import type { Running } from '../../db/runtime/running.ts';
import { createTestDatabase } from './database.ts';
import { sharedService, untilKnown } from './files-service.ts';
import { forFile } from './for-file.ts';
import { startTestGateway, type TestGateway } from './gateway.ts';
import type { Client } from './http.ts';
import { isShared, type OwnParts } from './own-parts.ts';
import { openDatabase, plant } from './restaurant.ts';
import type { RunSql } from './sql.ts';
import { startTestWorker } from './worker.ts';

/** A gateway on a database in which no other restaurants are than those that the file plants. */
export interface MenuService {
  databaseUrl: string;
  /** Runs a statement on the database. */
  sql: RunSql;
  db: Database;
  gateway: TestGateway;
  /** Of the first restaurant. */
  tenantId: number;
  /** The id of each restaurant, by its slug. */
  ids: ReadonlyMap<string, number>;
  /** Speaks to the first one. */
  client: Client;
  stop(): Promise<void>;
}

/** The same, with a worker. */
export interface WorkedService extends MenuService {
  /** A test that stops it puts another one in its place. */
  worker: Running;
}

/** The restaurants' database, for a file alone or for all files of the process. */
async function openParts(own: OwnParts) {
  if (isShared(own)) return { ...(await sharedService()), stop: async () => undefined };
  const { url: databaseUrl, sql, drop } = await createTestDatabase();
  const db = await openDatabase(databaseUrl);
  const stop = async () => {
    await db.end();
    await drop();
  };
  return { databaseUrl, sql, db, gateway: null, stop };
}

/** Plants restaurants and serves them: without parts of its `own`, by what the files share. */
export async function openMenuService(
  restaurants: readonly DemoRestaurant[],
  own: OwnParts = {},
): Promise<MenuService> {
  const { databaseUrl, sql, db, gateway: shared, stop } = await openParts(own);
  const ids = new Map<string, number>();
  for (const restaurant of restaurants) ids.set(restaurant.slug, await plant(db, restaurant));
  const gateway = shared ?? (await startTestGateway(databaseUrl, own.env, own.constants));
  if (shared) await untilKnown(gateway, [...ids.keys()], true);
  const { slug } = certain(restaurants[0], 'a restaurant');
  return {
    ...{ databaseUrl, sql, db, gateway, ids },
    tenantId: certain(ids.get(slug), slug),
    client: gateway.client(slug),
    stop: async () => {
      if (!shared) await gateway.stop();
      await stop();
    },
  };
}

/** As `openMenuService`, with a worker. */
export async function openWorkedService(
  restaurants: readonly DemoRestaurant[],
  own: OwnParts = {},
): Promise<WorkedService> {
  const menus = await openMenuService(restaurants, own);
  if (isShared(own)) return { ...menus, worker: (await sharedService()).worker };
  const service: WorkedService = {
    ...menus,
    worker: await startTestWorker(menus.databaseUrl, own.workerEnv, own.constants),
    stop: async () => {
      await service.worker.stop();
      await menus.stop();
    },
  };
  return service;
}

/** As `openMenuService`, shared with no other file or test. */
export const startMenuService = (restaurants: readonly DemoRestaurant[], own: OwnParts = {}) =>
  openMenuService(restaurants, { ...own, alone: true });

/** As `openMenuService`, stopped with the tests of the file. */
export const menuService = forFile(openMenuService);

/** As `openWorkedService`, stopped with the tests of the file. */
export const workedService = forFile(openWorkedService);
