// Workers send the templates of a large menu in several texts, and gateways read them so: a connection
// puts a long one together in ever larger pieces of memory.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as v from 'valibot';
import { trattoria } from '../../../db/operator/demo/restaurant.ts';
import { sql } from '../../../db/postgres/sql.ts';
import { findChangedSnapshot, TEMPLATE_SEPARATOR } from '../../../db/sql/snapshots.ts';
import { ownDatabase } from '../../support/own-database.ts';
import { dishOf, plant, restaurantOf, sectionOf } from '../../support/restaurant.ts';

const { db } = await ownDatabase();

/** The templates that have changed since a version, and in how many texts they come. */
async function changedSince(tenantId: number, version = 0) {
  const change = await findChangedSnapshot(db, tenantId, version);
  assert.ok(change?.head);
  const { templates: texts } = change;
  return { count: texts.length, templates: texts.flatMap((one) => one.split(TEMPLATE_SEPARATOR)) };
}

test('the templates of a small menu come in one text, and none where nothing has changed', async () => {
  const tenantId = await plant(db, trattoria);
  const { count, templates } = await changedSince(tenantId);
  assert.equal(count, 1);
  assert.ok(templates.length > 1);
  const { version } = (await findChangedSnapshot(db, tenantId, 0))?.head ?? { version: 0 };
  assert.equal((await changedSince(tenantId, version)).count, 0);
});

test('the templates of a large menu are stored and come in several texts, each template once', async () => {
  const description = { it: 'Di stagione, '.repeat(100) };
  const dishes = Array.from({ length: 50 }, (_, at) => dishOf(`Piatto ${at}`, { description }));
  const sections = Array.from({ length: 10 }, (_, at) => sectionOf(`Sezione ${at}`, dishes));
  const tenantId = await plant(db, restaurantOf('grande', sections));
  const { count, templates } = await changedSince(tenantId);
  assert.ok(count > 1);
  const stored = await db.any(sql.value(v.string())`
    select template from snapshot_sections where tenant_id = ${tenantId}
  `);
  assert.deepEqual(templates.toSorted(), stored.toSorted());
  assert.equal(templates.length, sections.length);
  const named = templates.map((template) => /Sezione \d/.exec(template)?.[0]);
  assert.deepEqual(new Set(named), new Set(sections.map(({ name }) => name.it)));
});
