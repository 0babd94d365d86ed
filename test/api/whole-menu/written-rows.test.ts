// A document writes many rows, and the worker goes on with those of its draft: they must be the rows
// that the tables hold.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { applyChange } from '../../../db/menu/change.ts';
import { importOperations } from '../../../db/menu/import-operations.ts';
import { planOperations } from '../../../db/menu/plan.ts';
import { pizzeria } from '../../../db/operator/demo/restaurant.ts';
import { inOneGo } from '../../../db/runtime/in-slices.ts';
import { loadMenu } from '../../../db/sql/menus.ts';
import { deleteMissing } from '../../../workers/writes/delete-missing.ts';
import { findReturning } from '../../../workers/writes/find-returning.ts';
import { ownDatabase } from '../../support/own-database.ts';
import { type RandomMenu, randomMenu } from '../../support/random-menu.ts';
import { plant } from '../../support/restaurant.ts';
import { seed } from '../../support/seed.ts';
import { often } from '../../support/thorough.ts';

const { db } = await ownDatabase();

/** Imports a menu in place of the one before, and gives the menu that the worker goes on with. */
async function importMenu(tenantId: number, { settings, theme, ...sent }: RandomMenu) {
  const { format: _format, ...lists } = sent;
  const operations = inOneGo(importOperations({ settings, theme, lists, ignored: [] }));
  const before = await loadMenu(db, tenantId);
  const rules = {
    ...{ namesOnce: true, earliest: null },
    returning: await findReturning(db, tenantId, before, operations),
  };
  const { menu, isApplied, results, errors } = await applyChange(
    db,
    tenantId,
    before,
    function* (draft) {
      const plan = yield* planOperations(draft, operations, rules);
      const missing = deleteMissing(draft, before, Object.keys(lists), plan.results);
      return { ...plan, results: yield* missing };
    },
  );
  const failed = results.filter(({ outcome }) => outcome === 'failed');
  assert.ok(isApplied, JSON.stringify([errors, failed[0]]));
  return menu;
}

test('the menu of a worker is the one of the tables, whatever a document has written', async () => {
  const tenantId = await plant(db, pizzeria);
  let written = 0;
  await fc.assert(
    fc.asyncProperty(randomMenu, async (menu) => {
      const kept = await importMenu(tenantId, menu);
      if (kept === null) return;
      written += 1;
      assert.deepEqual(kept, await loadMenu(db, tenantId));
    }),
    { numRuns: often(15, 60), seed, endOnFailure: true },
  );
  assert.ok(written > 5, `${written} documents have changed something`);
});
