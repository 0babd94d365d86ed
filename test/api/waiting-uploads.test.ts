// Uploads whose photos no worker has made yet.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Running } from '../../db/runtime/running.ts';
import { createAdminClient, issueToken, smallRestaurant } from '../support/admin.ts';
import type { Response } from '../support/http.ts';
import { startMenuService } from '../support/menu-service.ts';
import { noise } from '../support/pictures.ts';
import { until } from '../support/until.ts';
import { startTestWorker } from '../support/worker.ts';

test('uploads that wait for a worker leave room for others of their address', async (t) => {
  const body = await noise(640, 60);
  const changed = { maxBodiesBytesPerClient: Math.round(2.5 * body.length) };
  const service = await startMenuService([smallRestaurant], { constants: changed });
  let worker: Running | undefined;
  t.after(async () => {
    await worker?.stop();
    await service.stop();
  });
  const token = await issueToken(service.db, service.tenantId);
  const { call } = createAdminClient(service.client, token);
  const waiting: Promise<Response>[] = [];
  const answered: number[] = [];
  for (let count = 1; count <= 4; count += 1) {
    // Another byte behind the picture tells the files apart.
    const file = Buffer.concat([body, Buffer.from([count])]);
    const reply = call('POST', '/photos', file, { 'Content-Type': 'image/jpeg' });
    waiting.push(reply);
    void reply.then(({ status }) => answered.push(status));
    await until('an upload is not kept', async () => {
      assert.deepEqual(answered, [], 'an upload is answered before its photo is made');
      const kept = await service.sql('select from photo_uploads');
      return kept.length === count;
    });
  }
  worker = await startTestWorker(service.databaseUrl);
  const statuses = (await Promise.all(waiting)).map(({ status }) => status);
  assert.deepEqual(statuses.sort(), [200, 200, 200, 201]);
});
