// A certificate is renewed while displays are connected.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { copyFile, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { connect } from 'node:tls';
import { publishVersion } from '../../db/menu/new-version.ts';
import { trattoria } from '../../db/operator/demo/restaurant.ts';
import { type EventStream, openEventStream } from '../support/event-stream.ts';
import { fileFolder } from '../support/folder.ts';
import { createClient } from '../support/http.ts';
import { ownDatabase } from '../support/own-database.ts';
import { plant } from '../support/restaurant.ts';
import { startForTest } from '../support/service-process.ts';
import { until } from '../support/until.ts';

const HOST = `${trattoria.slug}.localhost`;
const STREAMS = 1_000;
const file = (name: string) => new URL(`../support/tls/${name}`, import.meta.url).pathname;

const { url, db } = await ownDatabase();
const tenant = await plant(db, trattoria);

/** The names of the certificate that a new connection gets. */
async function namesServed(port: number): Promise<string | undefined> {
  const socket = connect({ host: '127.0.0.1', port, servername: HOST, rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { subjectaltname } = socket.getPeerCertificate();
  socket.destroy();
  return subjectaltname;
}

test(`a renewed certificate serves new connections, and ${STREAMS} streams go on`, async (t) => {
  const folder = await fileFolder();
  const tls = { TLS_CERT: join(folder, 'cert.pem'), TLS_KEY: join(folder, 'key.pem') };
  /** As programs do that renew certificates: the file of a name is another one at once. */
  const put = async (name: string, path: string) => {
    await copyFile(file(name), `${path}.new`);
    await rename(`${path}.new`, path);
  };
  await put('cert.pem', tls.TLS_CERT);
  await put('key.pem', tls.TLS_KEY);
  const env = { ...tls, LIMIT_PUBLIC: '1000000' };
  const gateway = await startForTest(t, 'gateway/main.ts', url, {}, env);
  const { program, port, opsPort } = gateway;
  const hangUp = () => process.kill(program.pid, 'SIGHUP');
  const ca = await readFile(file('cert.pem'));
  const open = () => openEventStream({ port, host: HOST, ca });
  const streams: EventStream[] = [];
  for (let n = 0; n < STREAMS; n += 1) streams.push(await open());

  // The key of another certificate: nothing changes, and the log says why.
  await put('other-key.pem', tls.TLS_KEY);
  hangUp();
  await program.waitFor(/goes on with the old certificate: \S+ \(TLS_KEY\) belongs to another/);
  assert.equal(await namesServed(port), `DNS:${HOST}`);

  await put('key.pem', tls.TLS_KEY);
  await put('wildcard.pem', tls.TLS_CERT);
  hangUp();
  await until('the new certificate was not served', async () => {
    // A connection that waited when the old port closed is ended by the system.
    return (await namesServed(port).catch(() => '')) === 'DNS:*.menu.example.com';
  });
  await program.waitFor(/serves the new certificate, which ends on 2126-/);
  const { text } = await createClient(opsPort, 'localhost').send('/metrics');
  const [, end] = /^lavagna_certificate_end_timestamp_seconds (\S+)$/m.exec(text) ?? [];
  assert.equal(new Date(Number(end) * 1_000).getUTCFullYear(), 2126);

  // Each stream is told of the next version.
  const { version: told = 0 } = streams[0]?.events.at(-1) ?? {};
  await db.transaction((tx) => publishVersion(tx, tenant));
  const toldAll = () => streams.every(({ events }) => (events.at(-1)?.version ?? 0) > told);
  await until('a stream did not hear of the next version', toldAll);
  assert.equal(streams.filter((stream) => stream.ending() !== null).length, 0);
  for (const stream of streams) stream.close();
});
