import type { DemoRestaurant } from '../../db/operator/demo/restaurant.ts';
import type { Database } from '../../db/postgres/connection.ts';
import type { Constants } from '../../db/runtime/constants.ts';
import { createTestDatabase } from './database.ts';
import { forFile } from './for-file.ts';
import { startTestGateway, type TestGateway } from './gateway.ts';
import type { Client } from './http.ts';
import { openDatabase, plant } from './restaurant.ts';
import type { RunSql } from './sql.ts';

/** A gateway on a database of its own in which restaurants have been planted. */
export interface MenuService {
  databaseUrl: string;
  /** As `runSql` does, on the database. */
  sql: RunSql;
  db: Database;
  gateway: TestGateway;
  /** Of the first restaurant. */
  tenantId: number;
  /** Speaks to it. */
  client: Client;
  stop(): Promise<void>;
}

/** @param env and `changed` as for `startTestGateway` */
export async function startMenuService(
  [first, ...others]: readonly [DemoRestaurant, ...DemoRestaurant[]],
  env: Record<string, string> = {},
  changed: Partial<Constants> = {},
): Promise<MenuService> {
  const database = await createTestDatabase();
  const db = await openDatabase(database.url);
  const tenantId = await plant(db, first);
  for (const restaurant of others) await plant(db, restaurant);
  const gateway = await startTestGateway(database.url, env, changed);
  return {
    databaseUrl: database.url,
    sql: database.sql,
    db,
    gateway,
    tenantId,
    client: gateway.client(first.slug),
    stop: async () => {
      await gateway.stop();
      await db.end();
      await database.drop();
    },
  };
}

/** The same, stopped with the tests of the file. */
export const menuService = forFile(startMenuService);
