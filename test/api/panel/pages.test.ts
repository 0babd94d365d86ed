// The pages of the panel that show and change nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inflateSync } from 'node:zlib';
import decodeQR from 'qr/decode.js';
import { createVisitor, signedIn } from '../../support/panel.ts';
import { panelService } from '../../support/panel-service.ts';
import { dishOf, restaurantOf, sectionOf } from '../../support/restaurant.ts';
import { until } from '../../support/until.ts';

const restaurant = restaurantOf('trattoria', [
  sectionOf('Primi', [
    dishOf('Gricia', { name: { it: 'Gricia', de: 'Gricia mit Speck' }, allergens: ['latte'] }),
    dishOf('Amatriciana'),
  ]),
]);

const service = await panelService([restaurant]);
const visitor = await signedIn(service.client);

test('the first page counts what is on the menu and what is still to be done', async () => {
  const page = (await visitor.get('/admin')).shows(/Nel menù ci sono 2 piatti in 1 sezione\./);
  page.shows(/<strong>2<\/strong> Piatti da tradurre/);
});

test('statistics show the figures of the reports as tables', async () => {
  const [{ id }] = await service.sql(`select id from dishes order by id limit 1`);
  const views = Array.from({ length: 3 }, (_, n) => ({
    ...{ type: 'item_view', item_id: id, locale: 'it', visitor_id: `guest-${n}` },
  }));
  const missed = ['<b>Sushi</b>', '<b>sushi</b>', ...Array.from({ length: 25 }, (_, n) => `x${n}`)];
  const searches = missed.map((query) => {
    return { type: 'search', query, results: 0, locale: 'it', visitor_id: 'guest-0' };
  });
  assert.equal((await service.client.sendEvents([...views, ...searches])).status, 202);
  let text = '';
  await until('the views are not counted', async () => {
    ({ text } = await visitor.get('/admin/statistics'));
    return text.includes('3 visitatori');
  });
  assert.match(text, /<th scope="row">Gricia<\/th><td>3<\/td><td>3<\/td>/);
  assert.match(text, /<th scope="row">Italiano<\/th><td>3<\/td>/);
  assert.match(text, /<th scope="row">&lt;b&gt;sushi&lt;\/b&gt;<\/th><td>2<\/td>/);
  // The table has twenty texts and says how many searches it leaves out.
  assert.match(text, /<th scope="row">Altri testi<\/th><td>6<\/td>/);
  (await visitor.get('/admin')).shows(/<th scope="row">Gricia<\/th><td>3<\/td>/);
  for (const path of ['/admin', '/admin/statistics']) {
    const german = await visitor.get(path, { 'Accept-Language': 'de' });
    german.shows(/<th scope="row">Gricia mit Speck<\/th><td>3<\/td>/);
  }
  const wrong = (await visitor.get('/admin/statistics?from=2026-02-30')).expect(200);
  wrong.shows(/Questo periodo non va bene/);
  (await visitor.get('/admin/statistics?from=2020-01-01&to=2020-01-31')).shows(/0 visitatori/);
});

/** The pixels of a PNG of one bit each, as a camera would see them. */
function readPng(png: Buffer) {
  const size = png.readUInt32BE(16);
  const start = png.indexOf('IDAT') + 4;
  const rows = inflateSync(png.subarray(start, start + png.readUInt32BE(start - 8)));
  const stride = 1 + Math.ceil(size / 8);
  const data = new Uint8Array(size * size * 4);
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      const byte = rows[y * stride + 1 + (x >> 3)] ?? 0;
      const shade = (byte >> (7 - (x & 7))) & 1 ? 255 : 0;
      data.set([shade, shade, shade, 255], (y * size + x) * 4);
    }
  }
  return { width: size, height: size, data };
}

test('the QR code leads to the menu, as a picture and as a drawing', async () => {
  const png = await visitor.get('/admin/qr.png');
  assert.equal(png.headers['content-type'], 'image/png');
  assert.equal(decodeQR(readPng(png.body)), 'http://trattoria.localhost/');
  const svg = await visitor.get('/admin/qr.svg');
  assert.equal(svg.headers['content-type'], 'image/svg+xml');
  svg.shows(/^<svg xmlns=[^>]*><rect [^>]*fill="#fff"\/><path d="M4 4h1v1h-1z/);
  (await visitor.get('/admin/qr')).shows(/trattoria\.localhost/);
});

test('QR codes lead to a section in a language, by the restaurant’s own host, on a card for each table', async () => {
  const query = '?lang=it&section=1';
  const png = await visitor.get(`/admin/qr.png${query}`, { Host: 'TRATTORIA.localhost:81' });
  assert.equal(decodeQR(readPng(png.body)), 'http://trattoria.localhost/?lang=it#section-1');
  const tables = await visitor.get(`/admin/qr${query}&first=7&last=9`);
  const cards = Array.from(tables.text.matchAll(/class="table">([^<]*)</g), ([, text]) => text);
  assert.deepEqual(cards, ['Tavolo 7', 'Tavolo 8', 'Tavolo 9']);
  for (const odd of ['first=x&last=-1', 'first=9999&last=99999', 'lang=zz&section=%00', 'last=4']) {
    const { status, text } = await visitor.get(`/admin/qr?${odd}`);
    const cards = text.split('src="/admin/qr.svg').length - 2;
    assert.ok(status === 200 && cards >= 1 && cards <= 120, odd);
  }
});

test('the page for printing asks for a language, a size and sections, by a form of its own', async () => {
  const page = await visitor.get('/admin/print');
  page.shows(/<form class="card part" method="get" action="\/admin\/print">/);
  page.shows(/<option value="it" selected>/, /<option value="large">/);
});

test('none of them is there for somebody who has not signed in', async () => {
  const stranger = createVisitor(service.client);
  for (const path of ['/admin', '/admin/menu', '/admin/statistics', '/admin/qr', '/admin/print']) {
    const { status, headers } = await stranger.get(path);
    assert.deepEqual([status, headers.location], [303, `/admin/sign-in?next=${path}`]);
  }
  assert.equal((await stranger.get('/admin/qr.png')).headers.location, '/admin/sign-in');
});
