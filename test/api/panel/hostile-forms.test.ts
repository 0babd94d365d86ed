// Forms that cost more than they should, and forms of other sites.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { pizzeria, trattoria } from '../../../db/operator/demo/restaurant.ts';
import { constants } from '../../../db/runtime/constants.ts';
import { startTestGateway } from '../../support/gateway.ts';
import { createVisitor, EMAIL, PASSWORD, signedIn, type Visitor } from '../../support/panel.ts';
import { panelService } from '../../support/panel-service.ts';

const service = await panelService([trattoria, pizzeria]);

const client = () => service.gateway.client('trattoria');
const MENU = JSON.stringify({ categories: [], types: [], items: [], wineries: [] });
const PACKED = gzipSync(MENU).toString('base64url');

/** Every path of the panel that takes a form. */
const PATHS = [
  '/admin/menu',
  '/admin/menu/undo',
  '/admin/menu/items/new',
  '/admin/menu/sections/new',
  '/admin/restaurant',
  '/admin/appearance',
  '/admin/import',
  '/admin/menu/deleted',
  '/admin/api-tokens',
  '/admin/api-tokens/1/revoke',
  '/admin/sign-in',
  '/admin/sign-out',
  '/admin/language',
];

describe('a form of many names', () => {
  /** As long as the form of a record may be. */
  const names = Array.from({ length: 70_000 }, (_, at) => `a${at.toString(36)}=`).join('&');
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const post = (visitor: Visitor, path: string, body: string) =>
    client().send(path, { method: 'POST', headers: { ...headers, Cookie: visitor.cookie }, body });

  test('is refused, whichever page it is sent to', async () => {
    assert.ok(names.length < constants.maxRecordFormBytes);
    const visitor = await signedIn(client());
    const forms = ['menu', 'menu/items/new', 'restaurant', 'sign-in', 'language'];
    for (const form of forms) {
      const { status, text } = await post(visitor, `/admin/${form}`, names);
      assert.equal(status, 413, form);
      assert.match(text, /Modulo troppo grande/);
    }
  });

  test('is read in one pass when it has as many as are allowed', async () => {
    const visitor = await signedIn(client());
    const most = Array.from({ length: constants.maxFormFields }, (_, at) => `a${at}=`).join('&');
    assert.equal((await post(visitor, '/admin/restaurant', most)).status, 403, 'it has no token');
    assert.equal((await post(visitor, '/admin/restaurant', `${most}&b=`)).status, 413);
  });
});

describe('a packed document', () => {
  /** 11 KB that would become 8 MiB. */
  const bomb = gzipSync(Buffer.alloc(constants.maxDocumentBytes, ' ')).toString('base64url');

  test('of a stranger is kept as it came, and not unpacked', async () => {
    const stranger = createVisitor(client());
    await stranger.get('/admin/sign-in');
    for (const document of [bomb, 'bm8gYXJjaGl2ZQ']) {
      const { text } = (await stranger.upload('/admin/import', { document }, null)).expect(200);
      const kept = /name="kept" value="([^"]*)"/.exec(text)?.[1] ?? '';
      const fields = new URLSearchParams(Buffer.from(kept, 'base64url').toString());
      assert.equal(fields.get('document'), document);
    }
  });

  test('that is none is not kept', async () => {
    const stranger = createVisitor(client());
    await stranger.get('/admin/sign-in');
    (await stranger.upload('/admin/import', { document: '<b>' }, null)).hides(/name="kept"/);
  });

  test('that is longer than it says is refused', async () => {
    const visitor = await signedIn(client());
    await visitor.get('/admin/import');
    const bytes = gzipSync('x'.repeat(100_000));
    bytes.writeUInt32LE(10, bytes.length - 4);
    for (const document of [bytes.toString('base64url'), 'AAAA', bomb.slice(0, 200)]) {
      (await visitor.upload('/admin/import', { document }, null)).expect(422).shows(/role="alert"/);
    }
  });
});

describe('a form of another site', () => {
  const FOREIGN: Record<string, string>[] = [
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { Origin: 'http://pizzeria.localhost' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site', Origin: 'http://pizzeria.localhost' },
  ];
  const FIELDS = {
    ...{ email: EMAIL, password: PASSWORD, language: 'de', do: 'apply' },
    ...{ name: 'Osteria', document: PACKED, kept_path: '/admin/import' },
    kept: Buffer.from(`document=${PACKED}`).toString('base64url'),
  };

  test('is refused on every path, keeps nothing and changes no cookie', async () => {
    // A browser sends no cookie with it.
    for (const path of PATHS) {
      for (const headers of FOREIGN) {
        const stranger = createVisitor(client());
        await stranger.get('/admin/sign-in');
        stranger.cookie = '';
        for (const answer of [
          await stranger.post(path, FIELDS, headers),
          await stranger.upload(path, FIELDS, null, headers),
        ]) {
          assert.equal(answer.status, 403, path);
          assert.equal(answer.headers['set-cookie'], undefined, path);
          assert.doesNotMatch(answer.text, /kept|Osteria|name="document"/, path);
        }
      }
    }
  });

  test('leaves the session as it is, even where the browser sends its cookie', async () => {
    const visitor = await signedIn(client());
    const { cookie } = visitor;
    for (const path of PATHS) {
      const answer = await visitor.post(path, FIELDS, { Origin: 'https://evil.example' });
      assert.deepEqual([answer.status, answer.headers['set-cookie']], [403, undefined], path);
    }
    assert.equal(visitor.cookie, cookie);
    assert.equal((await visitor.get('/admin/restaurant')).status, 200);
  });
});

test('a form without a token is not kept where the browser does not say whose it is', async () => {
  const stranger = createVisitor(client());
  await stranger.get('/admin/sign-in');
  const fields = { form_token: 'x', kept_path: '/admin/restaurant', kept: 'bmFtZT1Pc3RlcmlhX3g' };
  for (const path of ['/admin/sign-in', '/admin/language', '/admin/restaurant']) {
    assert.doesNotMatch((await stranger.post(path, fields)).text, /name="kept"/, path);
  }
  const own = { Origin: 'http://trattoria.localhost:8080' };
  const { text } = await stranger.post('/admin/restaurant', { ...fields, name: 'Osteria' }, own);
  assert.match(text, /name="kept" value="/);
});

test('an address has so much of the panel in a minute, exports and statistics less often', async (t) => {
  const gateway = await startTestGateway(service.databaseUrl, {}, { maxPanelCost: 200 });
  t.after(gateway.stop);
  const owner = await signedIn(gateway.client('trattoria'));
  const statuses: number[] = [];
  for (let asked = 0; asked < 5; asked += 1) {
    statuses.push((await owner.get('/admin/statistics')).status);
  }
  assert.deepEqual(statuses, [200, 200, 200, 429, 429]);
  const refused = (await owner.get('/admin/import/export')).expect(429);
  assert.match(refused.headers['retry-after'] ?? '', /^\d+$/);
  refused.shows(/Riprova fra \d+ secondi/);
  assert.equal((await owner.get('/admin')).status, 200, 'cheap pages are still there');
  for (let asked = 0; asked < 100; asked += 1) await owner.get('/admin/sign-in');
  assert.equal((await owner.get('/admin')).status, 429);
});
