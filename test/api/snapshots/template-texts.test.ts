// A gateway reads the templates of a large menu as several texts: a connection puts a long one together
// in ever larger pieces of memory.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as v from 'valibot';
import { trattoria } from '../../../db/operator/demo/restaurant.ts';
import { sql } from '../../../db/postgres/sql.ts';
import { findChangedSnapshot, TEMPLATE_SEPARATOR } from '../../../db/sql/snapshots.ts';
import { ownDatabase } from '../../support/own-database.ts';
import { plant } from '../../support/restaurant.ts';

const { db } = await ownDatabase();
const tenantId = await plant(db, trattoria);

/** The templates that have changed since a version, and in how many texts they come. */
async function changedSince(version: number) {
  const change = await findChangedSnapshot(db, tenantId, version);
  assert.ok(change?.head);
  const { templates: texts } = change;
  return { count: texts.length, templates: texts.flatMap((one) => one.split(TEMPLATE_SEPARATOR)) };
}

test('the templates of a small menu come in one text, and none where nothing has changed', async () => {
  const { count, templates } = await changedSince(0);
  assert.equal(count, 1);
  assert.ok(templates.length > 1);
  const { version } = (await findChangedSnapshot(db, tenantId, 0))?.head ?? { version: 0 };
  assert.equal((await changedSince(version)).count, 0);
});

test('the templates of a large menu come in several texts, each template once', async () => {
  await db.run(sql.nothing`
    insert into snapshot_sections (tenant_id, section_id, version, template)
    select ${tenantId}, 1000000 + n, 1000, repeat(chr(96 + n), 200000) from generate_series(1, 5) n
  `);
  const { count, templates } = await changedSince(0);
  assert.ok(count > 1);
  const stored = await db.any(sql.value(v.string())`
    select template from snapshot_sections where tenant_id = ${tenantId}
  `);
  assert.deepEqual(templates.toSorted(), stored.toSorted());
});
