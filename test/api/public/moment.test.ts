import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as v from 'valibot';
import { sql } from '../../../db/postgres/sql.ts';
import { createTestDatabase } from '../../support/database.ts';
import { openDatabase } from '../../support/restaurant.ts';

const count = sql.type(v.object({ count: v.number() }))`select count(*) from tenants`;

test('reads of one moment see nothing of what is committed between them', async () => {
  const database = await createTestDatabase();
  const db = await openDatabase(database.url);
  const counts = await db.moment(async (moment) => {
    const before = await moment.one(count);
    await database.sql`with late as (insert into tenants (slug) values ('late') returning id)
      insert into versions (tenant_id, version, actor_kind, origin)
      select id, 1, 'operator', 'cli' from late`;
    return [before, await moment.one(count)];
  });
  assert.deepEqual(counts, [{ count: 0 }, { count: 0 }]);
  assert.deepEqual(await db.one(count), { count: 1 });
  await assert.rejects(
    db.moment((moment) => moment.run(sql.nothing`delete from tenants`)),
    /read-only/,
  );
  await db.end();
  await database.drop();
});
