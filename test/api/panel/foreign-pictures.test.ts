// Pictures at addresses of other sites: workers look at them, and the panel says which do not load.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo, LookupFunction } from 'node:net';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { constants } from '../../../db/runtime/constants.ts';
import { createPublicLookup } from '../../../workers/outgoing/send-request.ts';
import { lookAtPicture } from '../../../workers/photos/look-at-pictures.ts';
import { afterFile } from '../../support/for-file.ts';
import { signedIn } from '../../support/panel.ts';
import { panelService } from '../../support/panel-service.ts';
import { picture } from '../../support/pictures.ts';
import { dishOf, restaurantOf, sectionOf } from '../../support/restaurant.ts';
import { type ServiceProcess, startService } from '../../support/service-process.ts';
import { until } from '../../support/until.ts';

const tls = resolve(import.meta.dirname, '../../support/tls');
const certificate = resolve(tls, 'localhost.pem');
const gif = Buffer.from('GIF89a\x01\x00\x01\x00', 'latin1');
/** The remark that the panel has for each address; null where there is a picture. */
const SITES: Record<string, RegExp | null> = {
  '/photo.jpg': null,
  '/moving.gif': null,
  '/drawing.svg': null,
  '/moved': null,
  '/endless.jpg': null,
  '/album': /qualcos’altro, non un’immagine/,
  '/gone.jpg': /risponde 404/,
  '/round': /non risponde/,
  '/to-plain': /non risponde/,
  '/mute': /non risponde/,
};

let worker: ServiceProcess;
let isMended = false;
const connections = { count: 0 };
const jpeg = await picture({ width: 64, height: 48 });

const site = createServer(
  { cert: readFileSync(certificate), key: readFileSync(resolve(tls, 'key.pem')) },
  (request, response) => {
    const move = (to: string) => response.writeHead(302, { Location: to }).end();
    const show = (type: string, body: Buffer | string) =>
      response.writeHead(200, { 'Content-Type': type }).end(body);
    const moves: Record<string, string> = {
      '/moved': '/photo.jpg',
      '/to-private': `${origin}/photo.jpg`,
      '/to-private-address': `https://127.0.0.1:${port}/photo.jpg`,
      '/round': '/round',
      '/to-plain': `http://localhost:${port}/photo.jpg`,
    };
    const { url = '' } = request;
    if (moves[url]) return move(moves[url]);
    switch (url) {
      case '/album':
        return show('text/html', '<!doctype html><title>Album</title>');
      case '/drawing.svg':
        return show('image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>');
      case '/moving.gif':
        return show('image/gif', gif);
      case '/endless.jpg': {
        response.writeHead(200, { 'Content-Type': 'image/jpeg' });
        response.write(jpeg);
        const more = setInterval(() => response.write(Buffer.alloc(65_536)), 1);
        response.on('close', () => clearInterval(more));
        return;
      }
      case '/gone.jpg':
        return isMended ? show('image/jpeg', jpeg) : response.writeHead(404).end();
      case '/mute':
        return request.socket.destroy();
      default:
        return show('application/octet-stream', jpeg);
    }
  },
);
site.on('connection', () => {
  connections.count += 1;
});

const menu = [
  sectionOf(
    'Primi',
    Object.keys(SITES).map((name) => dishOf(name)),
  ),
];
const service = await panelService([restaurantOf('trattoria', menu)], { alone: true });
const visitor = await signedIn(service.client);
await once(site.listen(0, '127.0.0.1'), 'listening');
afterFile(async () => {
  site.closeAllConnections();
  site.close();
});
const { port } = site.address() as AddressInfo;
const origin = `https://localhost:${port}`;

const pathOf = async (name: string) => {
  const [{ id }] = await service.sql(`select id from dishes where name->>'it' = $1`, [name]);
  return `/admin/menu/items/${id}`;
};
const leftToLookAt = async () =>
  (await service.sql('select from foreign_pictures where looked_at is null')).length;

/** Saves an address in a dish's form. */
async function save(name: string, photo_url: string): Promise<void> {
  const path = await pathOf(name);
  (await visitor.edit(path, { photo_url, do: 'save' })).expect(303);
}

test('a worker looks at pictures of other sites where the operator allows it', async () => {
  for (const name of Object.keys(SITES)) await save(name, `${origin}${name}`);
  await visitor.edit('/admin/restaurant', { logo_url: `${origin}/album`, do: 'save' });
  assert.equal(connections.count, 0, 'LOOK_AT_PICTURES is off');

  worker = await startService(
    'workers/main.ts',
    service.databaseUrl,
    { LOOK_AT_PICTURES: '1', WEBHOOKS_PRIVATE: '1', NODE_EXTRA_CA_CERTS: certificate },
    { pictureLookInterval: 50, pictureLookAgain: 500 },
  );
  await until('pictures are not looked at', async () => (await leftToLookAt()) === 0);
  const home = (await visitor.get('/admin')).text;
  for (const [name, problem] of Object.entries(SITES)) {
    const path = await pathOf(name);
    const [, told] = new RegExp(`href="${path}">[^<]*</a> ([^<]*)`).exec(home) ?? [];
    const page = await visitor.get(path);
    if (problem === null) {
      assert.equal(told, undefined, name);
      assert.doesNotMatch(page.text, /Controllato:/, name);
    } else {
      assert.match(told ?? '', problem, name);
      assert.match(page.text, problem, name);
      assert.match(page.text, /class="foreign-picture"/, 'the browser tries, too');
    }
  }
  assert.match(home, /href="\/admin\/restaurant">[^<]*<\/a> A questo indirizzo/);
  assert.match((await visitor.get('/admin/restaurant')).text, /non un’immagine/);
});

test('a worker looks again at an address without a picture, and at another one at once', async () => {
  isMended = true;
  await until('the address is not looked at again', async () => {
    return !(await visitor.get('/admin')).text.includes('risponde 404');
  });
  await save('/album', `${origin}/photo.jpg`);
  assert.doesNotMatch((await visitor.get(await pathOf('/album'))).text, /Controllato:/);
  await until('the new address is not looked at', async () => (await leftToLookAt()) === 0);
  await save('/mute', '');
  assert.doesNotMatch((await visitor.get('/admin')).text, /\/album<|\/mute</);
});

test('a look goes to no private address', async () => {
  await worker.program.stop();
  const before = connections.count;
  for (const address of [`${origin}/photo.jpg`, origin.replace('localhost', '127.0.0.1')]) {
    const look = await lookAtPicture(address, { constants, isPrivateAllowed: false });
    assert.deepEqual(look, { problem: 'silent', status: null });
  }
  assert.equal(connections.count, before);
});

test('a look does not follow a public address to a private one', async (t) => {
  // The site has a certificate for another name.
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  t.after(() => delete process.env.NODE_TLS_REJECT_UNAUTHORIZED);
  const publicLookup = createPublicLookup();
  const lookup: LookupFunction = (hostname, options, callback) => {
    if (hostname !== 'pictures.example') return publicLookup(hostname, options, callback);
    callback(null, options.all ? [{ address: '127.0.0.1', family: 4 }] : '127.0.0.1', 4);
  };
  const look = (path: string) =>
    lookAtPicture(`https://pictures.example:${port}${path}`, {
      ...{ constants, lookup, isPrivateAllowed: false },
    });
  assert.deepEqual(await look('/photo.jpg'), { problem: null, status: null });
  for (const path of ['/to-private', '/to-private-address']) {
    const before = connections.count;
    assert.deepEqual(await look(path), { problem: 'silent', status: null }, path);
    assert.equal(connections.count, before + 1, path);
  }
});
