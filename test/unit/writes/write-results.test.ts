// How gateways hear what has become of the writes that they handed over.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import type { Db } from '../../../db/postgres/sql.ts';
import { constants } from '../../../db/runtime/constants.ts';
import type { WriteResult } from '../../../db/schema/write.ts';
import type { FoundWrite } from '../../../db/sql/writes.ts';
import { createResults, createSettler, type Results } from '../../../gateway/writes/results.ts';
import { createJobReader } from '../../../gateway/writes/writes.ts';
import { createGate } from '../../support/gate.ts';
import { testOrigin } from '../../support/media-origin.ts';
import { until } from '../../support/until.ts';

const TENANT = 7;
const ID = '018f0000-0000-7000-8000-000000000000';
const KEY = { tenantId: TENANT, id: ID };
const RESULT: WriteResult = {
  ...{ id: ID, resource: 'theme', record_id: null, version: 3 },
  outcome: { kind: 'unchanged', record: {}, etag: '"x"', at: '2026-01-15T18:30:00+00:00' },
};
/** The result as it stands in the table. */
const ROW = { tenant_id: TENANT, id: ID, token_id: 1, ignored: [], result: JSON.stringify(RESULT) };
let found: (Omit<FoundWrite, 'result'> & { result: string | null })[];
let lookUps: number;
let results: Results;

function newResults(): Results {
  const any = async () => {
    lookUps += 1;
    return found;
  };
  const log = pino({ level: 'silent' });
  const db = { any } as unknown as Db;
  return createResults({ db, log, confirm: () => Promise.resolve(), constants });
}

/** Lets everything happen that waits for no timer. */
async function turns<T>(value?: T): Promise<T | undefined> {
  for (let turn = 0; turn < 10; turn += 1) await setImmediate();
  return value;
}

beforeEach(() => {
  found = [];
  lookUps = 0;
  results = newResults();
});
afterEach(() => results.stop());

test('a result is taken from its announcement, or asked for if that does not tell it', async () => {
  const told = results.expect(KEY);
  results.onNotice({ tenant_id: TENANT, ids: [ID], version: 3, outcomes: [RESULT] });
  assert.deepEqual(await told.result, RESULT);
  told.drop();
  assert.equal(lookUps, 0);
  const asked = results.expect(KEY);
  found = [ROW];
  results.onNotice({ tenant_id: TENANT, ids: [ID], version: 3 });
  // It does not wait to be asked for with all others.
  for (let turn = 0; turn < 3; turn += 1) await setImmediate();
  assert.equal(lookUps, 1);
  assert.deepEqual(await asked.result, RESULT);
  asked.drop();
});

test('a result without a notice is asked for now and then', async () => {
  const { result, drop } = results.expect(KEY);
  await until('no query was sent', async () => lookUps > 0);
  found = [ROW];
  assert.deepEqual(await result, RESULT);
  drop();
});

test('does not poll for results that have no waiter', async (t) => {
  await results.stop();
  t.mock.timers.enable({ apis: ['setInterval'] });
  results = newResults();
  const expectations = [results.expect(KEY), results.expect(KEY)];
  for (const { drop } of expectations) drop();
  const submitter = { submit: async () => ID, secure: async () => {} };
  const settle = createSettler(submitter, results, { whenServed: async () => {} }, constants);
  const settled = settle({ tenant_id: TENANT, id: ID }, 'osteria');
  results.onNotice({ tenant_id: TENANT, ids: [ID], version: 3, outcomes: [RESULT] });
  assert.deepEqual(await settled, { id: ID, result: RESULT });
  results.reconcile();
  results.onNotice({ tenant_id: TENANT, ids: [ID], version: 3 });
  t.mock.timers.tick(2 * constants.resultPoll);
  await turns();
  assert.equal(lookUps, 0);
});

const noUpload = () => Promise.resolve(null);

test('a job is finished for its readers when the menu that shows its write is served', async () => {
  found = [ROW];
  const served = createGate();
  const waitedFor: [slug: string, version: number][] = [];
  const whenServed = (slug: string, version: number) => {
    waitedFor.push([slug, version]);
    return served.opened;
  };
  const readJob = createJobReader(results, { whenServed }, noUpload, testOrigin, constants);
  const answer = readJob({ id: TENANT, slug: 'osteria', language: 'it' }, ID, null);
  await until('the menu is not waited for', () => waitedFor.length > 0);
  assert.equal(await Promise.race([answer, turns('none yet')]), 'none yet');
  served.open();
  assert.equal((await answer)?.status, '200 OK');
  assert.deepEqual(waitedFor, [['osteria', RESULT.version]]);
});
