// TLS that ends in the gateway, without a proxy.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { test } from 'node:test';
import { trattoria } from '../../../db/operator/demo/restaurant.ts';
import { assertCertificate } from '../../../db/runtime/certificate.ts';
import { OperatorError } from '../../../db/runtime/operator-error.ts';
import { testGateway } from '../../support/gateway.ts';
import { ownDatabase } from '../../support/own-database.ts';
import { startProcess } from '../../support/process.ts';
import { plant } from '../../support/restaurant.ts';

/** A self-signed certificate for `trattoria.localhost`, its key, and a key that is not its. */
const file = (name: string) => new URL(`../../support/tls/${name}`, import.meta.url).pathname;
const tls = { TLS_CERT: file('cert.pem'), TLS_KEY: file('key.pem') };

const database = await ownDatabase();
await plant(database.db, trattoria);

/** Asks for a path over TLS, as a client that trusts the certificate and checks the name. */
function get(
  port: number,
  path: string,
): Promise<{ status?: number; text: string; cookie?: string; strict?: string }> {
  return new Promise((resolve, reject) => {
    const host = 'trattoria.localhost';
    const options = {
      ...{ host: '127.0.0.1', port, path, servername: host, headers: { Host: host } },
      ca: readFileSync(file('cert.pem')),
    };
    const outgoing = request(options, async (incoming) => {
      let text = '';
      for await (const chunk of incoming.setEncoding('utf8')) text += chunk;
      const cookie = incoming.headers['set-cookie']?.[0];
      const strict = incoming.headers['strict-transport-security'];
      const status = incoming.statusCode ?? 0;
      resolve({ status, text, ...(cookie && { cookie }), ...(strict && { strict }) });
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

test('with a certificate everything is served through TLS, and cookies stay in it', async () => {
  const gateway = await testGateway(database.url, tls);
  const menu = await get(gateway.port, '/api/v1/menu');
  assert.equal(menu.status, 200);
  assert.equal(JSON.parse(menu.text).data.settings.slug, 'trattoria');
  assert.equal((await get(gateway.port, '/')).status, 200);
  assert.match((await get(gateway.port, '/admin/sign-in')).cookie ?? '', /; Secure/);
  await assert.rejects(gateway.client('trattoria').get('/menu'), 'plain HTTP is refused');
});

const STRICT = 'max-age=31536000';

test('every answer through TLS asks browsers to come through TLS for a year', async () => {
  const gateway = await testGateway(database.url, tls);
  for (const path of ['/', '/api/v1/menu', '/api/v1/items', '/admin/sign-in', '/nowhere']) {
    assert.equal((await get(gateway.port, path)).strict, STRICT, path);
  }
});

test('only a trusted proxy can say that a client came through TLS', async () => {
  const paths = ['/', '/api/v1/menu', '/api/v1/items', '/admin/sign-in'];
  for (const [trusted, proto, expected] of [
    ['127.0.0.1', 'https', STRICT],
    ['127.0.0.1', 'HTTPS, http', STRICT],
    ['127.0.0.1', 'http', undefined],
    ['127.0.0.1', '', undefined],
    ['10.0.0.0/8', 'https', undefined],
    ['', 'https', undefined],
  ] as const) {
    const gateway = await testGateway(database.url, { TRUSTED_PROXIES: trusted });
    for (const path of paths) {
      const { headers } = await gateway.client('trattoria').send(path, {
        headers: { 'X-Forwarded-Proto': proto },
      });
      assert.equal(headers['strict-transport-security'], expected, `${trusted} ${proto} ${path}`);
    }
  }
});

const bad: [string, Record<string, string>, RegExp][] = [
  [
    'a missing file',
    { TLS_CERT: '/nowhere/cert.pem' },
    /cert\.pem \(TLS_CERT\) cannot be read: ENOENT/,
  ],
  [
    'a key for a certificate',
    { TLS_CERT: tls.TLS_KEY },
    /\(TLS_CERT\) holds no certificate in PEM/,
  ],
  ['a certificate for a key', { TLS_KEY: tls.TLS_CERT }, /\(TLS_KEY\) holds no usable key/],
  ['the key of another', { TLS_KEY: file('other-key.pem') }, /belongs to another certificate/],
];
for (const [what, wrong, sentence] of bad) {
  test(`${what} is refused by a sentence`, () => {
    const { TLS_CERT, TLS_KEY } = { ...tls, ...wrong };
    const attempt = () => assertCertificate({ cert: TLS_CERT, key: TLS_KEY });
    assert.throws(attempt, OperatorError);
    assert.throws(attempt, sentence);
  });
}

test('a gateway without a good certificate does not start and says why', async () => {
  const gateway = startProcess('gateway/main.ts', {
    env: { DATABASE_URL: database.url, ...tls, TLS_KEY: file('other-key.pem') },
  });
  assert.equal(await gateway.ended, 1);
  assert.match(gateway.stderr(), /^\S+ \(TLS_KEY\) belongs to another certificate\.\n$/);
});
