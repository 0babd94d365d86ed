// DATABASE_URL names several hosts: a connection goes to the one that takes writes.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { test } from 'node:test';
import { createPgClient } from '../../../db/postgres/pg-client.ts';
import { ownDatabase } from '../../support/own-database.ts';

const database = await ownDatabase();

test('a host that answers too late is asked again, within the time of the caller', async (t) => {
  const { hostname, port, host } = new URL(database.url);
  let asked = 0;
  const slow = createServer((near) => {
    asked += 1;
    near.on('error', () => near.destroy());
    if (asked === 1) return;
    const far = connect(Number(port), hostname);
    far.on('error', () => near.destroy());
    near.pipe(far).pipe(near);
  });
  slow.listen(0, '127.0.0.1');
  await once(slow, 'listening');
  t.after(() => slow.close());
  const hosts = `127.0.0.1:${(slow.address() as AddressInfo).port},127.0.0.1:1`;
  const url = database.url.replace(host, hosts);
  const { client, close } = createPgClient(url, { connectionTimeoutMillis: 60_000 });
  await client.connect();
  assert.deepEqual((await client.query('select 1 as one')).rows, [{ one: 1 }]);
  await close();
  assert.ok(asked > 2, 'it was asked again, and then connected to');
});
