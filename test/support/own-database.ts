import { createTestDatabase } from './database.ts';
import { forFile } from './for-file.ts';
import { openDatabase } from './restaurant.ts';

/** A migrated, empty database with a pool, for the tests of a file. */
export const ownDatabase = forFile(async () => {
  const { url, sql, drop } = await createTestDatabase();
  const db = await openDatabase(url);
  return {
    ...{ url, sql, db },
    stop: async () => {
      await db.end();
      await drop();
    },
  };
});
