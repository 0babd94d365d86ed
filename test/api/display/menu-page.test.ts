// The menu's page as search engines, link previews and browsers without script read it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { HtmlValidate } from 'html-validate';
import { publishVersion } from '../../../db/menu/new-version.ts';
import { trattoria } from '../../../db/operator/demo/restaurant.ts';
import { openEventStream } from '../../support/event-stream.ts';
import { startTestGateway } from '../../support/gateway.ts';
import { createClient } from '../../support/http.ts';
import { menuService } from '../../support/menu-service.ts';
import { openSockets } from '../../support/raw-socket.ts';
import { dishOf, restaurantOf, sectionOf } from '../../support/restaurant.ts';
import { often } from '../../support/thorough.ts';
import { until } from '../../support/until.ts';

/** A first flight of TCP: ten segments. */
const FIRST_FLIGHT = 14 * 1024;
const GUESTS = often(60, 300);

const hostile = '</script><script>alert(1)</script> & "quotes" <!--';
const odd = restaurantOf(
  'odd',
  [sectionOf(hostile, [dishOf(hostile, { description: { it: hostile } })])],
  { name: hostile, address: hostile, supported_locales: ['it'] },
);
const bare = restaurantOf('bare', []);
const named = ['Gone', 'Asked', 'Weighed', 'Sized', 'Marked', 'Silent'];
const fields = restaurantOf('fields', [
  sectionOf('Lunch', {
    time_visibility: { start: '12:00', end: '15:00' },
    dishes: named.map((name) => dishOf(name, { price: 9 })),
  }),
]);
/** Values that the demo's documents cannot have. */
const FIELDS = `
  with tenant as (select id from tenants where slug = 'fields'),
  money as (update settings set currency = 'CHF' where tenant_id = (select id from tenant)),
  days as (update sections set weekdays = '{1,2,3,4,5,7}', date_end = '2030-12-31'
    where tenant_id = (select id from tenant))
  update dishes d set
    sold_out_until = case d.name->>'it' when 'Gone' then timestamptz 'infinity' end,
    price_on_request = d.name->>'it' = 'Asked',
    price_unit = case d.name->>'it' when 'Weighed' then '100g' end,
    variants = case d.name->>'it' when 'Sized' then '[
      {"label_translations": {"it": "Small"}, "price": 4},
      {"label_translations": {"it": "Large"}, "price": 7.5}]'::jsonb else '[]' end,
    contains_none = d.name->>'it' <> 'Silent'
  where tenant_id = (select id from tenant)`;
const MARKED = `
  update dishes set traces = '{pesce}', additives = '{colouring}', labels = '{vegan,spicy}',
    vintage = 2019, grapes = 'Nerello', denomination = 'Etna DOC',
    photo_url = 'https://p.example/a.jpg', photo_alt = '{"it": "A plate"}'
  where name->>'it' = 'Marked'`;

const pictured = {
  ...trattoria,
  settings: { ...trattoria.settings, cover_image_url: 'https://p.example/dining-room.jpg' },
};

const service = await menuService([pictured, odd, bare, fields], { env: { LIMIT_PUBLIC: '120' } });
for (const statement of [FIELDS, MARKED]) await service.sql(statement);
const [tenant] = await service.sql("select id from tenants where slug = 'fields'");
await service.db.transaction((tx) => publishVersion(tx, Number(tenant.id)));

const open = (headers: Record<string, string> = {}, path = '/') =>
  service.client.send(path, { headers });
const langOf = (text: string) => /<html lang="(\w\w)"/.exec(text)?.[1];

test('GET / has every section, dish and price of the menu in each language', async () => {
  for (const locale of trattoria.settings.supported_locales) {
    const { text, headers } = await open({}, `/?lang=${locale}`);
    const { json } = await service.client.get(`/menu/${locale}`);
    assert.equal(langOf(text), locale);
    assert.equal(headers['content-language'], locale);
    const escaped = (value: string) => value.replaceAll('&', '&amp;').replaceAll("'", '&#39;');
    for (const section of json.data.sections) {
      if (section.items.length > 0) assert.ok(text.includes(`id="section-${section.id}"`));
      for (const { id, name, description, winery } of section.items) {
        const [, item = ''] = text.split(`id="dish-${id}"`);
        // Long words may break.
        const own = item.slice(0, item.indexOf('</li>')).replaceAll('\u00ad', '');
        for (const part of [name, description, winery?.name ?? '']) {
          assert.ok(own.includes(escaped(part)), `${part} in ${own}`);
        }
        assert.match(own, /class="price">[^<]*\d/);
      }
    }
    assert.equal(text.match(/<li><b>/g)?.length, 14);
  }
});

test('GET / is in the language of ?lang=, else of the cookie, else of Accept-Language', async () => {
  const asked = async (headers: Record<string, string>, path = '/') =>
    langOf((await open(headers, path)).text);
  const german = { 'Accept-Language': 'pt-BR, de-AT;q=0.8, en;q=0.5' };
  assert.equal(await asked({}), 'it');
  assert.equal(await asked({ 'Accept-Language': 'pt-BR, *;q=0.1' }), 'it');
  assert.equal(await asked(german), 'de');
  assert.equal(await asked({ ...german, Cookie: 'a=b; lang=fr' }), 'fr');
  assert.equal(await asked({ ...german, Cookie: 'lang=xx' }), 'de');
  assert.equal(await asked({ ...german, Cookie: 'lang=fr' }, '/?lang=ES'), 'es');
  assert.equal(await asked({ ...german, Cookie: 'lang=fr' }, '/?lang=pt'), 'fr');
});

test('GET / answers 304 to the tag that it names, in every encoding, until the menu changes', async () => {
  const plain = await open();
  const tag = plain.headers.etag ?? '';
  plain.shows(`data-tag="${tag.replaceAll('"', '&quot;')}"`);
  assert.equal(plain.headers.vary, 'Accept-Encoding, Accept-Language, Cookie');
  assert.equal(plain.headers['cache-control'], 'no-cache');
  assert.equal(plain.headers['x-ratelimit-limit'], undefined);
  const packings = { br: brotliDecompressSync, gzip: gunzipSync };
  for (const [encoding, decode] of Object.entries(packings)) {
    const packed = await open({ 'Accept-Encoding': encoding });
    assert.equal(packed.headers['content-encoding'], encoding);
    assert.equal(decode(packed.body).toString(), plain.text);
    for (const held of [tag, packed.headers.etag ?? '']) {
      const again = await open({ 'Accept-Encoding': encoding, 'If-None-Match': held });
      assert.equal(again.status, 304);
      assert.equal(again.headers.vary, plain.headers.vary);
    }
  }
  (await open({ 'If-None-Match': tag }, '/?lang=de')).expect(200);
});

test('the first view of GET / and its stylesheets fit into the first 14 KB', async () => {
  const { text } = await open();
  const packed = await open({ 'Accept-Encoding': 'br' });
  const firstView = text.slice(0, text.indexOf('</section>'));
  const sheets = [...firstView.matchAll(/<link rel="stylesheet" href="(\/display[^"]+)"/g)];
  let bytes = (packed.body.length * firstView.length) / text.length;
  for (const [, path = ''] of sheets) {
    bytes += (await open({ 'Accept-Encoding': 'br' }, path)).body.length;
  }
  assert.equal(sheets.length, 3);
  assert.ok(bytes < FIRST_FLIGHT, `${bytes} bytes`);
});

test('GET / is made for its own doors, and for none that a client makes up', async () => {
  const { port } = service.gateway;
  const ask = async (host: string, headers: Record<string, string> = {}) => {
    const { text, headers: answered } = await createClient(port, host).send('/', { headers });
    const [, canonical] = /<link rel="canonical" href="([^"]*)">/.exec(text) ?? [];
    return [canonical, answered.etag];
  };
  const plain = await ask('trattoria.localhost');
  assert.match(plain[0] ?? '', /^http:\/\/trattoria\.localhost\/$/);
  for (const made of ['trattoria.localhost:81', 'TRATTORIA.localhost.:9999']) {
    assert.deepEqual(await ask(made, { 'X-Forwarded-Proto': 'https' }), plain, made);
  }
  const own = await ask(`trattoria.localhost:${port}`);
  assert.match(own[0] ?? '', new RegExp(`^http://trattoria\\.localhost:${port}/`));
});

test('GET / names a manifest and an icon, so that a home screen opens the menu', async () => {
  const { text } = await open();
  const icon = /<link rel="apple-touch-icon" href="([^"]+)">/.exec(text)?.[1] ?? '';
  const manifest = /<link rel="manifest" href="([^"]+)">/.exec(text)?.[1] ?? '';
  const { json, headers } = await open({}, manifest);
  assert.match(headers['content-type'] ?? '', /^application\/manifest\+json/);
  assert.deepEqual([json.start_url, json.scope, json.display], ['/', '/', 'standalone']);
  assert.equal(json.name, 'Trattoria da Iole');
  for (const path of [icon, ...json.icons.map(({ src }: { src: string }) => src)]) {
    const picture = await open({}, path);
    assert.equal(picture.headers['content-type'], 'image/png');
    assert.match(picture.headers['cache-control'] ?? '', /immutable/, path);
  }
  const stale = await open({}, icon.replace(/\/display\/[^/]+/, '/display/other'));
  assert.equal(stale.headers['cache-control'], 'no-cache');
});

test('GET / tells search engines and link previews about the restaurant', async (t) => {
  const proxied = { 'X-Forwarded-Proto': 'https', 'Accept-Language': 'de' };
  const behindProxy = await startTestGateway(service.databaseUrl, { TRUSTED_PROXIES: '127.0.0.1' });
  t.after(behindProxy.stop);
  const open = (headers: Record<string, string>, path = '/') =>
    behindProxy.client('trattoria').send(path, { headers });
  const { text } = await open(proxied);
  const base = 'https://trattoria.localhost';
  assert.match(text, /<title>Trattoria da Iole · Speisekarte<\/title>/);
  assert.match(text, /<meta name="description" content="[^"]{60,200}">/);
  const canonical = async (path: string, language: string) => {
    const asked = { ...proxied, 'Accept-Language': language };
    return /<link rel="canonical" href="([^"]*)">/.exec((await open(asked, path)).text)?.[1];
  };
  for (const language of ['de', 'it', 'ja'])
    assert.equal(await canonical('/', language), `${base}/`);
  assert.equal(await canonical('/?lang=de', 'it'), `${base}/?lang=de`);
  const others = { it: '/?lang=it', es: '/?lang=es', 'x-default': '/' };
  for (const [code, path] of Object.entries(others)) {
    const link = `<link rel="alternate" hreflang="${code}" href="${base}${path}">`;
    assert.ok(text.includes(link), code);
  }
  for (const property of ['og:title', 'og:description', 'og:url', 'og:locale', 'og:image']) {
    assert.match(text, new RegExp(`<meta property="${property}" content="[^"]+">`), property);
  }
  const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(text) ?? [];
  const data = JSON.parse(json);
  assert.equal(data['@type'], 'Restaurant');
  assert.equal(data.hasMenu['@type'], 'Menu');
  assert.equal(data.hasMenu.inLanguage, 'de');
  const [section] = data.hasMenu.hasMenuSection;
  assert.equal(section['@type'], 'MenuSection');
  const items = (section.hasMenuItem ?? section.hasMenuSection[0].hasMenuItem) as [
    Record<string, Record<string, string>>,
  ];
  assert.equal(items[0]['@type'], 'MenuItem');
  assert.deepEqual(Object.keys(items[0].offers ?? {}), ['@type', 'price', 'priceCurrency']);
  assert.match(items[0].offers?.price ?? '', /^\d+\.\d\d$/);

  (await open(proxied, '/robots.txt')).shows(new RegExp(`^Sitemap: ${base}/sitemap.xml$`, 'm'));
  const sitemap = await open(proxied, '/sitemap.xml');
  assert.equal(sitemap.headers['content-type'], 'application/xml; charset=utf-8');
  const places = [...sitemap.text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, place]) => place);
  const { supported_locales: locales } = trattoria.settings;
  const expected = locales.map((locale) => `${base}/?lang=${locale}`);
  assert.deepEqual(places, expected);
});

test('GET / is valid HTML, whatever the menu holds', async () => {
  const validator = new HtmlValidate({
    extends: ['html-validate:standard'],
    rules: {
      // Matters of style that a browser does not see.
      'no-trailing-whitespace': 'off',
      'long-title': 'off',
      'tel-non-breaking': 'off',
      'no-inline-style': 'error',
    },
  });
  for (const slug of ['trattoria', 'odd', 'bare']) {
    const { text } = await service.gateway.client(slug).send('/');
    const { results } = await validator.validateString(text);
    const messages = results.flatMap((result) =>
      result.messages.map(({ ruleId, message, line }) => `${ruleId}: ${message} (${line})`),
    );
    assert.deepEqual(messages, [], slug);
  }
});

test('a text of the menu stays text in the page and in its data', async () => {
  const { text } = (await service.gateway.client('odd').send('/')).hides(/<script>/);
  const blocks = [...text.matchAll(/<script type="application\/[^>]*>(.*?)<\/script>/g)];
  assert.equal(blocks.length, 2);
  const [data] = blocks.map(([, json = '']) => JSON.parse(json)).reverse();
  assert.equal(data.name, hostile);
});

/** Changes the first dish's price; resolves with the version in which it has it. */
async function changePrice(price: number): Promise<number> {
  const { db, tenantId } = service;
  const first = 'select min(id) from dishes where tenant_id = $2';
  const change = `update dishes set price = $1 where id = (${first})`;
  await service.sql(change, [price, tenantId]);
  await db.transaction((tx) => publishVersion(tx, tenantId));
  const [tenant] = await service.sql('select version from tenants where id = $1', [tenantId]);
  return Number(tenant.version);
}

test(`${GUESTS} guests behind one address see the menu and every change; none is refused`, async () => {
  const { port } = service.gateway;
  const place = { port, host: 'trattoria.localhost', path: '/display/stream' };
  const locales = trattoria.settings.supported_locales;
  const visits = Array.from({ length: GUESTS }, async (_, guest) => {
    const path = `/?lang=${locales[guest % locales.length]}`;
    const page = (await open({ 'Accept-Encoding': 'br' }, path)).expect(200);
    return { path, tag: page.headers.etag ?? '', stream: await openEventStream(place) };
  });
  const guests = await Promise.all(visits);
  for (const price of [71.5, 72.5, 73.5]) {
    const version = await changePrice(price);
    await Promise.all(
      guests.map(async (guest) => {
        await guest.stream.untilVersion(version);
        const held = { 'If-None-Match': guest.tag };
        const page = (await open(held, guest.path)).expect(200);
        page.shows(new RegExp(String(price).replace('.', '[.,]')));
        guest.tag = page.headers.etag ?? '';
        (await open({ 'If-None-Match': guest.tag }, guest.path)).expect(304);
      }),
    );
  }
  for (const { stream } of guests) {
    assert.equal(stream.status, 200);
    assert.equal(stream.ending(), null);
    stream.close();
  }
});

test('clients that leave before their page is made cost nothing', async () => {
  const { gateway, client } = service;
  const ask = 'GET /?lang=de HTTP/1.1\r\nHost: trattoria.localhost\r\n\r\n';
  for (let change = 1; change <= 3; change += 1) {
    const version = await changePrice(80 + change);
    await until('the change is not served', async () => {
      return (await client.get('/menu')).text.includes(`"price":${80 + change}`);
    });
    assert.ok(version > 1);
    const sockets = await openSockets(gateway.port, 40);
    for (const [index, { socket }] of sockets.entries()) {
      socket.write(ask);
      // Some say that they send nothing more, some vanish.
      if (index % 2 === 0) socket.end();
      else socket.resetAndDestroy();
    }
    for (const { closed } of sockets) {
      const answer = await closed;
      assert.ok(answer === '' || answer.startsWith('HTTP/1.1 200'), answer.slice(0, 80));
    }
    (await open({}, '/?lang=de')).expect(200).shows(`${80 + change},00`);
  }
  const { text: metrics } = await createClient(gateway.opsPort, 'localhost').send('/metrics');
  assert.doesNotMatch(metrics, /^lavagna_http_requests_total\{[^}]*status="5\d\d"/m);
});

test('GET / shows every field of a dish that the menu has', async () => {
  const { gateway } = service;
  const { json } = await gateway.client('fields').get('/items?per_page=100');
  const { text } = await gateway.client('fields').send('/?lang=en');
  const itemOf = (name: string) => {
    const { id } = json.data.find((dish: { name: string }) => dish.name === name);
    const [, rest = ''] = text.split(`id="dish-${id}"`);
    return rest.slice(0, rest.indexOf('</li>'));
  };
  const plain = (name: string) =>
    itemOf(name)
      .replace(/<[^>]+>/g, '')
      .replace(/\s+/g, ' ');
  assert.match(itemOf('Gone'), /class="gone">Sold out</);
  assert.match(plain('Asked'), /on request/);
  assert.doesNotMatch(plain('Asked'), /CHF|9\.00/);
  assert.match(plain('Weighed'), /CHF\s?9\.00 per 100 g/);
  assert.match(plain('Sized'), /Small CHF\s?4\.00\s*Large CHF\s?7\.50/);
  assert.match(plain('Marked'), /May contain: Fish/);
  assert.match(plain('Marked'), /Additives: With colouring/);
  assert.match(plain('Marked'), /Vegan\s+Spicy/);
  assert.match(plain('Marked'), /2019 · Etna DOC · Nerello/);
  assert.match(
    itemOf('Marked'),
    /role="img" aria-label="A plate"><img class="photo" src="https:\/\/p.example\/a.jpg"/,
  );
  assert.match(itemOf('Marked'), /loading="lazy" width="320" height="320"/);
  assert.match(itemOf('Silent'), /Allergens not declared/);
  assert.match(text, /class="hours"><span>[^<]*2030, Mon[^<]*Sun, 12:00\u2009–\u200915:00<\/span>/);
  assert.match(text, /data-days="1,2,3,4,5,7" data-last="2030-12-31"/);
});
