// The preview of a form that is not saved yet.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { beforeEach, test } from 'node:test';
import { pizzeria, trattoria } from '../../../db/operator/demo/restaurant.ts';
import type { Response } from '../../support/http.ts';
import { menuService } from '../../support/menu-service.ts';
import { addUser, createVisitor, signedIn, type Visitor } from '../../support/panel.ts';

let visitor: Visitor;
const service = await menuService([trattoria, pizzeria]);
await addUser(service.db, service.tenantId);
beforeEach(async () => {
  visitor = await signedIn(service.client);
});

const DISH = '/admin/menu/items/1/preview';
const THEME = '/admin/appearance/preview';
const COLORS = {
  ...{ background_color: '#ffffff', text_color: '#111111', primary_color: '#222222' },
  ...{ secondary_color: '#333333', accent_color: '#444444', border_radius: '4px' },
  ...{ font_family: 'Verdana, sans-serif', layout_variant: 'grid', header_style: 'left' },
};

const dishIn = ({ text }: Response) => /<li class="dish[\s\S]*?<\/li>/.exec(text)?.[0] ?? '';
const styleIn = ({ text }: Response) => /<style>([\s\S]*?)<\/style>/.exec(text)?.[1] ?? '';
const policyOf = ({ headers }: Response) => headers['content-security-policy'] ?? '';

/** Everything that a write could have touched. */
async function state(): Promise<string> {
  const texts = [
    ...['select id, version from tenants order by id', 'select * from themes order by tenant_id'],
    ...['select * from dishes order by tenant_id, id', 'select count(*) from writes'],
  ];
  return JSON.stringify(await Promise.all(texts.map((text) => service.sql(text))));
}

test('only a page with a preview may hold a frame', async () => {
  for (const path of ['/admin/menu/items/1', '/admin/menu/sections/new', '/admin/appearance']) {
    assert.match(policyOf(await visitor.get(path)), /; frame-src 'self'(;|$)/, path);
  }
  for (const path of ['/admin', '/admin/menu', '/admin/restaurant', '/admin/import']) {
    assert.doesNotMatch(policyOf(await visitor.get(path)), /frame-src/, path);
  }
});

test('a stored dish is drawn as the guests’ page draws it, in the language that is asked for', async () => {
  for (const locale of ['it', 'de']) {
    const preview = await visitor.post(DISH.replace('/1/', '/2/'), { preview_locale: locale });
    assert.equal(preview.status, 200);
    const guests = await service.client.send(`/?lang=${locale}`);
    const stored = await visitor.get('/admin/menu/items/2/preview', { 'Accept-Language': locale });
    const dish = /<li class="dish[^>]* id="dish-2"[\s\S]*?<\/li>/.exec(guests.text)?.[0];
    assert.equal(dishIn(stored), dish);
    assert.equal(stored.headers['content-language'], locale);
    assert.equal(preview.headers['content-language'], locale);
  }
});

test('a draft is shown with what follows from it, and nothing is written', async () => {
  const before = await state();
  const { headers, text } = (
    await visitor.post(DISH, {
      'name.it': 'Supplì <nuovo>',
      'description.it': 'Con "nduja"',
      price: '9',
      'variants.0.label.it': 'Piccolo',
      'variants.0.price': '4,50',
      'variants.1.label.it': 'Grande',
      'variants.1.price': '7',
      'allergens.declared': '1',
      'allergen.latte': 'contains',
      'allergen.uova': 'may',
      sold_out_until: 'indefinitely',
      is_recommended: '1',
    })
  ).expect(200);
  assert.equal(headers['cache-control'], 'no-store');
  assert.equal(headers['x-frame-options'], 'SAMEORIGIN');
  assert.match(text, /Supplì &lt;nuovo&gt;/);
  assert.match(text, /Piccolo[\s\S]*4,50[\s\S]*Grande[\s\S]*7,00/);
  assert.match(text, /class="dish recommended sold-out"/);
  assert.match(text, /<strong>Contiene[^<]*<\/strong>Latte/i);
  assert.match(text, /<strong>Può contenere[^<]*<\/strong>Uova/i);
  assert.equal(await state(), before);
});

test('what the rules refuse stays as it is stored; the rest is shown', async () => {
  const preview = await visitor.post(DISH, {
    'name.it': 'x'.repeat(10_000),
    'description.it': 'Nuova descrizione',
    price: 'abc',
    photo_url: 'javascript:alert(1)',
    winery_id: '99999',
    'allergens.declared': '1',
  });
  preview.expect(200);
  preview.shows(/Supplì al telefono[\s\S]*3,00[\s\S]*Nuova descrizione/).hides(/javascript:|xxxx/);
});

test('a new dish and a new section are shown before they exist, and what is missing is left out', async () => {
  const dish = await visitor.post('/admin/menu/items/new/preview', { 'name.it': 'Gricia' });
  assert.match(dishIn(dish), /Gricia/);
  assert.match(dish.text, /<span class="price"><\/span>/, 'no price before one is typed');
  assert.equal((await visitor.get('/admin/menu/items/new/preview')).status, 200);
  const section = await visitor.post('/admin/menu/sections/new/preview', {
    'name.it': 'Pranzo',
    time_visibility_enabled: '1',
    'hours.0.time_start': '12:00',
    'hours.0.time_end': '14:30',
    'notes.it': 'Solo in veranda',
  });
  section.shows(/Pranzo[\s\S]*12:00[\s\S]*14:30[\s\S]*Solo in veranda/);
});

test('a theme is shown on the menu itself, by a stylesheet that the policy names', async () => {
  const before = await state();
  const preview = await visitor.post(THEME, COLORS);
  assert.match(styleIn(preview), /--page: #ffffff;/);
  assert.match(styleIn(preview), /--font: 'Verdana', sans-serif;/);
  preview.shows(/data-layout="grid" data-header="left"/, /Supplì al telefono/);
  preview.hides(/class="warnings"/);
  const digest = createHash('sha256').update(styleIn(preview)).digest('base64');
  assert.match(policyOf(preview), /default-src 'none'/);
  assert.ok(policyOf(preview).includes(`'sha256-${digest}'`));
  assert.doesNotMatch(policyOf(preview), /script-src|unsafe/);
  const faint = await visitor.post(THEME, { ...COLORS, text_color: '#eeeeee' });
  faint.shows(/<ul class="warnings"><li>«Testo» e «Sfondo»[^<]*: 1,2\. Per leggere bene serve 4,5/);
  assert.equal(await state(), before);
});

test('nothing that is typed into a theme gets into its stylesheet or policy as it is', async () => {
  const stored = await visitor.get(THEME);
  const hostile = '</style><script>alert(1)</script>';
  for (const field of Object.keys(COLORS)) {
    const preview = await visitor.post(THEME, { ...COLORS, [field]: hostile });
    assert.equal(preview.status, 200, field);
    assert.doesNotMatch(preview.text, /<script|alert/, field);
  }
  const wide = await visitor.post(THEME, { ...COLORS, border_radius: '4px} * {display:none' });
  const radius = /--radius: [^;]*;/.exec(styleIn(stored))?.[0] ?? '?';
  assert.ok(styleIn(wide).includes(radius));
  const elsewhere = await visitor.post(THEME, {
    ...COLORS,
    font_url: "https://fonts.example; script-src *; 'unsafe-inline'/x.css",
  });
  assert.doesNotMatch(policyOf(elsewhere), /script-src|unsafe|fonts\.example/);
});

test('once the session has ended, the frame says so in the language of the page', async () => {
  await service.sql('delete from sessions');
  const said = {
    it: 'La sessione è scaduta',
    en: 'Your session has expired',
    fr: 'Votre session a expiré',
    de: 'Ihre Sitzung ist abgelaufen',
    es: 'Tu sesión ha caducado',
  };
  for (const [locale, text] of Object.entries(said)) {
    for (const path of [DISH, THEME]) {
      const headers = { 'Accept-Language': locale };
      for (const ended of [
        await visitor.get(path, headers),
        await visitor.post(path, { 'name.it': 'Zuppa' }, headers),
      ]) {
        assert.equal(ended.status, 403);
        assert.ok(ended.text.includes(text), `${locale}: ${ended.text}`);
        assert.equal(ended.headers['x-frame-options'], 'SAMEORIGIN');
        assert.match(policyOf(ended), /frame-ancestors 'self'/);
      }
    }
  }
});

test('other sites, other restaurants and visitors without a session see no draft', async () => {
  const typed = { 'name.it': 'Rubato' };
  (await visitor.post(DISH, typed, { Origin: 'https://evil.example' })).hides(/Rubato/);
  for (const id of ['0', '999999', 'x']) {
    assert.equal((await visitor.post(DISH.replace('/1/', `/${id}/`), typed)).status, 404, id);
  }
  const stranger = createVisitor(service.client);
  for (const path of [DISH, THEME]) {
    for (const answer of [await stranger.get(path), await stranger.post(path, typed)]) {
      answer.expect(403).hides(/Rubato|class="dish/);
    }
  }
  (await visitor.post(DISH, { 'name.it': 'x'.repeat(600_000) })).expect(413);
});
