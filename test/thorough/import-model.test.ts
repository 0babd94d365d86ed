// Random menus and random edits of them, imported, against a simple model of a menu.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DOCUMENT_ORDER, type OperationResult } from '../../db/schema/bulk.ts';
import { SINGLETONS } from '../../db/schema/values/resource.ts';
import { adminService } from '../support/admin.ts';
import {
  expectedRow,
  type RandomMenu,
  type Row,
  randomMenu,
  withoutIds,
} from '../support/random-menu.ts';
import { seed } from '../support/seed.ts';
import { often } from '../support/thorough.ts';

const RUNS = Number(process.env.RUNS ?? often(10, 25));
console.log(`import-model: SEED=${seed}`);

const service = await adminService();

const exported = async () => (await service.admin.get('/export')).json.data;
const importMenu = async (menu: RandomMenu, query = '') => {
  const reply = await service.admin.call('PUT', `/import?delete_missing=all${query}`, menu);
  assert.equal(reply.status, 200, JSON.stringify(reply.json.errors));
  return reply.json.data;
};
const byKey = (rows: Row[]) => new Map(rows.map((row) => [row.external_id, row]));

const TARGETS: Record<string, string> = {
  parent_id: 'categories',
  category_id: 'categories',
  type_id: 'types',
  winery_id: 'wineries',
  modifier_group_ids: 'modifier_groups',
};

/** Results without what only the writing itself can tell: the ids of new records. */
function tried(results: OperationResult[]): unknown {
  const news = results.filter(({ outcome }) => outcome === 'created');
  const created = new Set(news.map(({ resource, id }) => `${resource}/${id}`));
  const known = (resource: string | null, id: unknown) =>
    created.has(`${resource}/${id}`) ? null : id;
  return results.map(({ id, changes, ...rest }) => ({
    ...rest,
    id: known(rest.resource, id),
    changes: Object.fromEntries(
      Object.entries(changes).map(([name, change]) => {
        const target = TARGETS[name];
        const tell = (value: unknown) =>
          Array.isArray(value)
            ? value.map((id) => known(target ?? null, id))
            : known(target ?? null, value);
        return [name, target ? change.map(tell) : change];
      }),
    ),
  }));
}

/** The last state of each record, by list and key: one that was deleted comes back as it was. */
const last = new Map<string, Row>();

function remember(menu: Row): void {
  for (const list of DOCUMENT_ORDER) {
    for (const row of menu[list] as Row[]) last.set(`${list}/${row.external_id}`, row);
  }
}

/** Whether an import says of several dishes that they contain no allergens any more. */
function clearsAllergens({ items }: RandomMenu): boolean {
  const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0;
  const cleared = items.filter(({ external_id, allergens }) => {
    const before = last.get(`items/${external_id}`)?.allergens;
    return isEmpty(allergens) && Array.isArray(before) && !isEmpty(before);
  });
  return cleared.length > 1;
}

/** The menu of the model after an import, and what the export shows of it. */
async function assertExport(menu: RandomMenu, before: Row): Promise<void> {
  const shown = await exported();
  for (const list of DOCUMENT_ORDER.filter((one) => one !== 'photos')) {
    const ids = byKey(shown[list] as Row[]);
    const expected = menu[list].map((row) => {
      const known = last.get(`${list}/${row.external_id}`);
      if (known) assert.equal(ids.get(row.external_id)?.id, known.id, `${list}: the same record`);
      return expectedRow(list, row, known && withoutIds(list, known));
    });
    const actual = (shown[list] as Row[]).map((row) => withoutIds(list, row));
    assert.deepEqual(byKey(actual), byKey(expected), list);
  }
  for (const one of SINGLETONS) {
    const expected = expectedRow(one, menu[one], before[one] as Row);
    assert.deepEqual(shown[one], expected, one);
  }
}

test('a dry run tells what an import then does, the export shows it, and a repeat changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(randomMenu, async (menu) => {
      const before = await exported();
      remember(before);
      const dry = await importMenu(menu, '&dry_run=1');
      assert.deepEqual(await exported(), before);
      const asks = clearsAllergens(menu);
      assert.equal('confirm_allergens' in (dry.to_confirm ?? {}), asks);
      if (asks) {
        (await service.admin.call('PUT', '/import?delete_missing=all', menu)).expect(422);
        assert.deepEqual(await exported(), before);
      }
      const done = await importMenu(menu, asks ? '&confirm_allergens=1' : '');
      assert.deepEqual(tried(dry.results), tried(done.results));
      assert.deepEqual(dry.counts, done.counts);
      await assertExport(menu, before);
      const { etag } = (await service.client.get('/menu')).headers;
      const again = await importMenu(menu);
      assert.equal(
        again.counts.unchanged,
        again.results.length,
        JSON.stringify(again.results.find((one: OperationResult) => one.outcome !== 'unchanged')),
      );
      assert.equal(again.version, done.version);
      assert.equal((await service.client.get('/menu')).headers.etag, etag);
    }),
    { numRuns: RUNS, seed, endOnFailure: true },
  );
});
