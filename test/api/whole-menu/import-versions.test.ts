// Which menu a dry run has looked at, when other writes share its turn of the queue.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adminService } from '../../support/admin.ts';
import { untilStatus } from '../../support/until.ts';
import { startTestWorker } from '../../support/worker.ts';

const service = await adminService({ alone: true });

test('a dry run does not name a version that a later write of its turn has changed', async () => {
  const { admin } = service;
  const document = (await admin.get('/export')).json.data;
  const [dish] = document.items;
  await service.worker.stop();
  const later = { Prefer: 'respond-async' };
  const before = await admin.call('PATCH', `/items/${dish.id}`, { price: 50 }, later);
  const tried = await admin.call('PUT', '/import?dry_run=1', document, later);
  const behind = await admin.call('PATCH', `/items/${dish.id}`, { price: 60 }, later);
  for (const { status } of [before, tried, behind]) assert.equal(status, 202);
  service.worker = await startTestWorker(service.databaseUrl);
  const path = String(tried.headers.location).replace('/api/v1/admin', '');
  await untilStatus('the writes wait', 200, () => admin.get(path));
  const { headers, json } = await admin.get(path);
  assert.deepEqual(json.data.counts.updated, 1);
  (await admin.call('PUT', '/import', document, { 'If-Match': headers.etag ?? '' })).expect(412);
  const again = await admin.call('PUT', '/import?dry_run=1', document);
  const current = { 'If-Match': again.headers.etag ?? '' };
  assert.equal((await admin.call('PUT', '/import', document, current)).status, 200);
});
