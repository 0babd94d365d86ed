import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trattoria } from '../../../db/operator/demo/restaurant.ts';
import { startTestGateway } from '../../support/gateway.ts';
import { menuService } from '../../support/menu-service.ts';
import { isReady } from '../../support/service-process.ts';

const service = await menuService([trattoria]);

test('a gateway that stops is unready and takes new connections for DRAIN_SECONDS', async () => {
  const gateway = await startTestGateway(service.databaseUrl, { DRAIN_SECONDS: '3' });
  const client = gateway.client('trattoria');
  const stopped = gateway.stop();
  assert.equal(await isReady(gateway.opsPort), false);
  // Each request has a connection of its own.
  (await client.get('/menu', { Connection: 'close' })).expect(200);
  await stopped;
  await assert.rejects(client.get('/menu', { Connection: 'close' }));
});
