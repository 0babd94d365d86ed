// Random operations in one bulk request, against the same operations as single writes, one by one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sql } from '../../db/postgres/sql.ts';
import { DOCUMENT_ORDER, type OperationResult } from '../../db/schema/bulk.ts';
import type { Collection } from '../../db/schema/values/resource.ts';
import { type AdminClient, adminService, createAdminClient, issueToken } from '../support/admin.ts';
import { type Row, withoutIds } from '../support/random-menu.ts';
import { plant, restaurantOf } from '../support/restaurant.ts';
import { seed } from '../support/seed.ts';
import { often } from '../support/thorough.ts';

const RUNS = Number(process.env.RUNS ?? often(8, 15));
const MAX_OPERATIONS = 10;
console.log(`bulk-model: SEED=${seed}`);

const service = await adminService();

const { db, gateway } = service;
const twinId = await plant(db, restaurantOf('gemella', []));
/** A restaurant with the same menu, to which the operations are sent one by one. */
const twin = createAdminClient(gateway.client('gemella'), await issueToken(db, twinId));
const nothing = { format: 'lavagna-menu/1', categories: [], types: [], wineries: [], items: [] };
for (const admin of [service.admin, twin]) {
  (await admin.call('PUT', '/import?delete_missing=all', nothing)).expect(200);
}

interface Operation {
  resource: Tried;
  action: 'create' | 'update' | 'upsert' | 'delete';
  external_id: string;
  data: Row;
}

const key = (prefix: string) => fc.integer({ min: 0, max: 3 }).map((at) => `${prefix}${at}`);
const name = fc
  .tuple(
    fc.constantFrom('Uno', 'Due', 'Tre'),
    fc.constantFrom<Row>({}, { en: 'One' }, { en: null }),
  )
  .map(([it, more]) => ({ it, ...more }));
const some = (fields: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record(fields, { requiredKeys: [] }) as fc.Arbitrary<Row>;
const DATA = {
  categories: some({
    ...{ name, is_active: fc.boolean(), display_order: fc.integer({ min: 0, max: 9 }) },
    parent_external_id: fc.oneof(fc.constant(null), key('s')),
  }),
  types: some({ name, category_external_id: key('s') }),
  wineries: some({
    name: fc.constantFrom('Zidarich', 'Vodopivec', ''),
    country: fc.constant('IT'),
  }),
  items: some({
    ...{ name, category_external_id: key('s'), price: fc.constantFrom(0, 4.5, 12, -1, 'caro') },
    ...{ type_external_id: key('t'), winery_external_id: fc.oneof(fc.constant(null), key('w')) },
    allergens: fc.constantFrom(null, [], ['latte'], ['fieno']),
  }),
} satisfies Partial<Record<Collection, fc.Arbitrary<Row>>>;
type Tried = keyof typeof DATA;
const PREFIX: Record<Tried, string> = { categories: 's', types: 't', wineries: 'w', items: 'd' };

const operation: fc.Arbitrary<Operation> = fc
  .constantFrom<Tried>('categories', 'categories', 'items', 'items', 'types', 'wineries')
  .chain((resource) =>
    fc.record({
      resource: fc.constant(resource),
      action: fc.constantFrom('create', 'create', 'upsert', 'upsert', 'update', 'delete'),
      external_id: key(PREFIX[resource]),
      data: DATA[resource],
    }),
  );

const exported = async (admin: AdminClient) => (await admin.get('/export')).json.data;

/** A menu's records without what differs between restaurants. */
async function menuOf(admin: AdminClient): Promise<unknown> {
  const menu = await exported(admin);
  return DOCUMENT_ORDER.map((list) => menu[list].map((row: Row) => withoutIds(list, row)));
}

/** The result of an operation as a single write, in the words of bulk. */
async function single({ resource, action, external_id, data }: Operation): Promise<string> {
  const present: Row[] = (await exported(twin))[resource];
  const found = present.find((row) => row.external_id === external_id);
  if (action === 'create' || (action === 'upsert' && !found)) {
    const { status } = await twin.call('POST', `/${resource}`, { external_id, ...data });
    return status === 201 ? 'created' : 'failed';
  }
  if (!found) return 'failed';
  const path = `/${resource}/${found.id}`;
  if (action === 'delete') {
    const { status } = await twin.call('DELETE', path);
    return status === 204 ? 'deleted' : 'failed';
  }
  // PUT replaces the languages of a text, PATCH and an upsert merge them.
  const { status } = await twin.call(action === 'upsert' ? 'PATCH' : 'PUT', path, data);
  return status === 200 ? 'kept' : 'failed';
}

const AGED = ['sections', 'types', 'wineries', 'dishes'];
/** Ages deleted records by 30 days: an upsert of their keys makes new ones, as a single POST does. */
async function ageDeleted(): Promise<void> {
  for (const table of AGED) {
    await service.db.run(
      sql.nothing`
        update ${sql.identifier([table])} set deleted_at = deleted_at - interval '31 days'
        where deleted_at is not null
      `,
    );
  }
}

/** A single change does not say whether it changed something. */
function outcomesOf(results: readonly OperationResult[]): string[] {
  return results.map(({ outcome }) =>
    outcome === 'updated' || outcome === 'unchanged' ? 'kept' : outcome,
  );
}

test('a bulk request does what its dry run tells, and what its operations do one by one', async () => {
  const request = fc.record({
    operations: fc.array(operation, { minLength: 1, maxLength: MAX_OPERATIONS }),
    on_error: fc.constantFrom('reject_all', 'skip_failed'),
  });
  const send = (body: object) => service.admin.call('POST', '/bulk', body);
  await fc.assert(
    fc.asyncProperty(request, async ({ operations, on_error }) => {
      await ageDeleted();
      const before = await menuOf(service.admin);
      const dry = (await send({ operations, on_error, dry_run: true })).json.data;
      assert.deepEqual(await menuOf(service.admin), before);
      const reply = await send({ operations, on_error });
      const { results, applied, counts } = reply.json.data;
      assert.deepEqual(counts, dry.counts);
      assert.deepEqual(outcomesOf(results), outcomesOf(dry.results));
      const errorsOf = (all: OperationResult[]) => all.map(({ errors }) => errors);
      assert.deepEqual(errorsOf(results), errorsOf(dry.results));
      const isRefused = on_error === 'reject_all' && counts.failed > 0;
      assert.deepEqual([reply.status, applied], [isRefused ? 422 : 200, !isRefused]);
      if (isRefused) {
        assert.deepEqual(await menuOf(service.admin), before);
        return;
      }
      const alone: string[] = [];
      for (const one of operations) alone.push(await single(one));
      assert.deepEqual(outcomesOf(results), alone);
      assert.deepEqual(await menuOf(service.admin), await menuOf(twin));
    }),
    { numRuns: RUNS, seed, endOnFailure: true },
  );
});
