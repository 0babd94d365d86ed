import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Database, Db } from '../../db/postgres/connection.ts';
import { encodeMenu } from '../../db/snapshot/encodings.ts';
import { rebuildMenu } from '../../db/snapshot/rebuild.ts';
import { loadMenu } from '../../db/sql/menu/load-menu.ts';
import { bumpVersion } from '../../db/sql/snapshots/bump-version.ts';
import { findEncodings } from '../../db/sql/snapshots/find-encodings.ts';
import { findUncompressedTenants } from '../../db/sql/snapshots/find-uncompressed-tenants.ts';
import { saveEncodings } from '../../db/sql/snapshots/save-encodings.ts';
import { compressSnapshots } from '../../workers/snapshots/compress-snapshots.ts';
import { smallRestaurant } from '../support/admin.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { openDatabase, plant } from '../support/restaurant.ts';
import { runSql } from '../support/sql.ts';

let database: TestDatabase;
let db: Database;
before(async () => {
  database = await createTestDatabase();
  db = await openDatabase(database.url);
});
after(async () => {
  await db.end();
  await database.drop();
});

test('compressed answers that a write has overtaken are not stored as those of its version', async () => {
  const tenantId = await plant(db, smallRestaurant);
  /** Writes the menu under its next version, as a write does that leaves compressing for later. */
  const rebuild = () =>
    db.transaction(async (tx) => {
      const version = await bumpVersion(tx, tenantId);
      const { built, statement } = rebuildMenu(await loadMenu(tx, tenantId));
      await tx.run(statement);
      const templates = new Map([...built.sections].map(([id, { template }]) => [id, template]));
      return { version, encodings: await encodeMenu(built.head, templates) };
    });
  const stored = async () => [
    await runSql(database.url, 'select * from snapshots'),
    await runSql(database.url, 'select * from snapshot_encodings order by locale'),
  ];

  const first = await rebuild();
  assert.equal(await saveEncodings(db, tenantId, first.version, first.encodings), true);
  const overtaken = await rebuild();
  const next = await rebuild();
  const before = await stored();
  const late = await saveEncodings(db, tenantId, overtaken.version, overtaken.encodings);
  assert.equal(late, false);
  assert.deepEqual(await stored(), before);
  assert.equal(await saveEncodings(db, tenantId, next.version, next.encodings), true);
  const found = (version: number) => findEncodings(db, tenantId, version, ['it']);
  assert.equal((await found(next.version)).size, 1);
  assert.equal((await found(overtaken.version)).size, 0, 'nor taken for those of another version');
});

test('compressed answers of which no gateway hears are not stored', async () => {
  const tenantId = await plant(db, { ...smallRestaurant, slug: 'ancora' });
  await runSql(database.url, 'update snapshots set encoded_version = null where tenant_id = $1', [
    tenantId,
  ]);
  const uncompressed = async () => (await findUncompressedTenants(db, 0, 50)).includes(tenantId);
  assert.equal(await uncompressed(), true);
  /** Postgres goes away between the two statements of a transaction. */
  const failing: Database = {
    ...db,
    transaction: (work) =>
      db.transaction((tx) => {
        let statements = 0;
        const run: Db['run'] = (statement) => {
          statements += 1;
          return statements < 2 ? tx.run(statement) : Promise.reject(new Error('Postgres is away'));
        };
        return work({ ...tx, run });
      }),
  };
  await assert.rejects(compressSnapshots(failing, tenantId), /Postgres is away/);
  assert.equal(await uncompressed(), true);
  await compressSnapshots(db, tenantId);
  assert.equal(await uncompressed(), false);
});
