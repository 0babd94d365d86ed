// New gateways answer what workers of former releases have stored.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { createBoss } from '../../../db/queue/boss.ts';
import { installQueues } from '../../../db/queue/queues.ts';
import { queues } from '../../../db/schema/queues.ts';
import { adminService } from '../../support/admin.ts';
import type { Response } from '../../support/http.ts';
import { untilStatus } from '../../support/until.ts';
import { queueIsDrained, startTestWorker } from '../../support/worker.ts';

const service = await adminService({ alone: true });

const { sql } = service;

async function lastWrite(): Promise<string> {
  const [{ id }] = await sql('select id from writes order by batch desc limit 1');
  return id;
}

function readJob(id: string): Promise<Response> {
  return service.admin.get(`/jobs/${id}`);
}

test('errors that a former release stored as sentences are answered as they were', async () => {
  const unknown = { action: 'update', resource: 'items', id: 999, data: { price: 5 } };
  const writes: [method: string, path: string, body: object][] = [
    ['PUT', '/items/1', { category_id: 999, winery_id: 999 }],
    ['POST', '/bulk', { operations: [unknown, 7] }],
  ];
  for (const [method, path, body] of writes) {
    const answer = (await service.admin.call(method, path, body)).expect(422);
    const id = await lastWrite();
    const [{ outcome }] = await sql('select outcome from writes where id = $1', [id]);
    const former = structuredClone(outcome);
    const parts = former.results ?? [former];
    const shown = answer.json.data?.results ?? [answer.json];
    parts.forEach((part: { errors: object }, index: number) => {
      part.errors = shown[index].errors;
    });
    await sql('update writes set outcome = $2 where id = $1', [id, JSON.stringify(former)]);
    const { json } = (await readJob(id)).expect(422);
    const { message, errors } = answer.json;
    assert.deepEqual([json.message, json.errors], [message, errors]);
    const told = Object.entries<string[]>(json.errors).map(([field, texts]) => {
      return [field, texts.map((text) => ({ rule: 'told', text }))];
    });
    assert.deepEqual(json.codes, Object.fromEntries(told));
  }
});

test('an error that only a later release has words for is answered as one of the server', async () => {
  (await service.admin.call('PUT', '/items/1', { category_id: 999 })).expect(422);
  const outcome = { kind: 'invalid', errors: { price: [{ rule: 'aRuleOfALaterRelease' }] } };
  const id = await lastWrite();
  await sql('update writes set outcome = $2 where id = $1', [id, JSON.stringify(outcome)]);
  assert.match((await readJob(id)).expect(500).json.error_id, /./);
});

test('writes that a former release has left are done after the upgrade, with its jobs and without', async () => {
  await service.worker.stop();
  const send = async (text: string) => {
    const headers = { Prefer: 'respond-async' };
    const sent = await service.admin.call('PUT', '/theme', { footer_text: text }, headers);
    return sent.json.data.id;
  };
  const ids = [await send('the first'), await send('the second')];
  const log = pino({ level: 'silent' });
  const former = createBoss(service.databaseUrl, { log, max: 1 });
  await former.start();
  await former.deleteQueue(queues.menuWrites);
  await former.createQueue(queues.menuWrites, { policy: 'short', notify: false });
  const data = { tenant_id: service.tenantId };
  const job = { singletonKey: String(service.tenantId), startAfter: 2 };
  // A gateway of that release relied on this one for both.
  await former.send(queues.menuWrites, data, job);
  await installQueues(service.databaseUrl);
  // One that has not been restarted sends another one.
  await former.send(queues.menuWrites, data, job);
  await former.stop({ graceful: false });
  service.worker = await startTestWorker(service.databaseUrl);
  for (const id of ids) {
    await untilStatus('a write is not done', 200, () => readJob(id));
  }
  await queueIsDrained(service.databaseUrl, queues.menuWrites);
  assert.equal((await service.client.get('/theme')).json.data.footer_text, 'the second');
});
