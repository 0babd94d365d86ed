// The stored result of a write is bounded, whatever was sent, and says what it leaves out.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { constants } from '../../../db/runtime/constants.ts';
import { MAX_OPERATIONS } from '../../../db/schema/bulk.ts';
import { adminService } from '../../support/admin.ts';
import { checkAnswer } from '../../support/contract.ts';
import { each } from '../../support/each.ts';

const { maxDocumentRecords, maxListedFailures, maxResultBytes } = constants;
/** Bytes of an operation beside its errors and changes: its place, outcome and ids. */
const MOST_PER_OPERATION = 220;

const service = await adminService();

const format = 'lavagna-menu/1';
const importMenu = (body: object, query = '') =>
  service.admin.call('PUT', `/import${query}`, { format, ...body });
const bulk = (operations: unknown[], more: object = {}) =>
  service.admin.call('POST', '/bulk', { operations, ...more });
const many = <T>(count: number, of: (n: number) => T) =>
  Array.from({ length: count }, (_, n) => of(n));
/** The bytes of the newest stored result. */
async function storedBytes(): Promise<number> {
  const [row] = await service.sql`
    select octet_length(outcome::text) as bytes from writes order by finished_at desc limit 1`;
  return row.bytes;
}

test('PUT /admin/import lists 200 of 20,000 failures and counts all', async () => {
  const answer = (await importMenu({ items: many(maxDocumentRecords, () => ({})) })).expect(422);
  checkAnswer('PUT', '/api/v1/admin/import', answer);
  const { counts, results, left_out } = answer.json.data;
  assert.equal(counts.failed, maxDocumentRecords);
  assert.equal(results.length, maxListedFailures);
  assert.equal(left_out.failures, maxDocumentRecords - maxListedFailures);
  assert.ok(answer.json.errors['items.0.price'] || answer.json.errors['items.0.category_id']);
  assert.ok((await storedBytes()) < maxResultBytes);
});

test('PUT /admin/import refuses a document of more records before it looks at one', async () => {
  const half = many(maxDocumentRecords / 2, () => ({}));
  const answer = (await importMenu({ items: half, wineries: [...half, {}] })).expect(422);
  assert.deepEqual(answer.json.codes, { body: [{ rule: 'maxItems', max: maxDocumentRecords }] });
});

test('POST /admin/bulk gives all ids of 5,000 long records, and changes as far as they fit', async () => {
  const text = 'uva '.repeat(49);
  const operations = many(MAX_OPERATIONS, (n) => ({
    ...{ resource: 'wineries', action: 'create', external_id: `cantina-${n}` },
    data: { name: `Cantina ${n}`, region: text },
  }));
  const answer = (await bulk(operations)).expect(200);
  checkAnswer('POST', '/api/v1/admin/bulk', answer);
  const { counts, results, left_out } = answer.json.data;
  assert.equal(counts.created, MAX_OPERATIONS);
  assert.deepEqual(each(results, 'external_id'), each(operations, 'external_id'));
  assert.equal(new Set(each(results, 'id')).size, MAX_OPERATIONS);
  assert.deepEqual(results[0].changes.region, [null, text.trim()]);
  const without = results.filter(
    ({ changes }: { changes: object }) => Object.keys(changes).length === 0,
  );
  assert.deepEqual(left_out, { failures: 0, results: 0, changes: without.length });
  assert.ok(without.length > 0);
  assert.ok((await storedBytes()) < maxResultBytes + MAX_OPERATIONS * MOST_PER_OPERATION);
});

test('POST /admin/bulk lists every success among more failures than it lists', async () => {
  const operations = many(3 * maxListedFailures, (n) => ({
    ...{ resource: 'wineries', action: 'create' },
    data: n % 3 === 0 ? { name: `Enoteca ${n}` } : {},
  }));
  const { json } = (await bulk(operations, { on_error: 'skip_failed' })).expect(200);
  const { counts, results, left_out } = json.data;
  const of = (outcome: string) =>
    results
      .filter((one: { outcome: string }) => one.outcome === outcome)
      .map(({ index }: { index: number }) => index);
  const good = many(maxListedFailures, (n) => 3 * n);
  assert.deepEqual(of('created'), good);
  assert.equal(of('failed').length, maxListedFailures);
  assert.equal(counts.failed, 2 * maxListedFailures);
  assert.deepEqual(left_out, { failures: maxListedFailures, results: 0, changes: 0 });
});

test('an operation with thousands of wrong fields has the errors of the first ones', async () => {
  const name = Object.fromEntries(many(5_000, (n) => [`${n}`.padStart(100, 'x'), 'Pane']));
  const item = { resource: 'items', action: 'create', data: { name, price: 1 } };
  const answer = (await bulk(many(3, () => item))).expect(422);
  assert.equal(answer.json.data.counts.failed, 3);
  assert.ok(Object.keys(answer.json.data.results[0].codes).length <= maxListedFailures);
  assert.ok((await storedBytes()) < maxResultBytes);
});
