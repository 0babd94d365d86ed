// Whatever stands in a field, the answer is 2xx or 422 and never a fault.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pathOf, records } from '../../db/schema/registry.ts';
import { isCollection, type Resource } from '../../db/schema/values/resource.ts';
import type { Response } from '../support/http.ts';
import { addUser, createVisitor } from '../support/panel.ts';
import { photoService } from '../support/photo-service.ts';
import { picture } from '../support/pictures.ts';

const service = await photoService();

const DEPTH = 100_000;
/** As they stand in a body of JSON. */
const ODD_VALUES = [
  String.raw`"\u0000"`,
  String.raw`"a\u0000b"`,
  String.raw`"\ud800"`,
  String.raw`"\udc00 \ud83d"`,
  String.raw`{"it":"a\u0000b"}`,
  String.raw`{"it":"a","en":"\ud800"}`,
  '{"__proto__":{"it":"a"},"it":"a"}',
  '{"it":"a","constructor":"b"}',
  '"__proto__"',
  '["__proto__","constructor"]',
  '1e308',
  '-1e308',
  '1e999',
  '-0',
  '9007199254740993',
  '2147483648',
  '1e-300',
  '"1e5"',
  '"0x10"',
  '"١٢"',
  'null',
  '[]',
  '{}',
  'true',
  '""',
  `"${'𝕏'.repeat(1_000)}"`,
  '"\u202e\u200b\ufeff\u0085"',
];

/** Those that take time: each is tried in one place of a kind. */
const BIG_VALUES = [
  `"${'a'.repeat(500_000)}"`,
  `${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`,
  `${'{"it":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`,
];

function assertNoFault({ status, json }: Response, what: string): void {
  assert.ok([200, 201, 422].includes(status), `${status} ${what.slice(0, 200)}`);
  assert.equal(json.success, status !== 422);
  if (status === 422) assert.ok(Object.keys(json.errors).length > 0, what.slice(0, 200));
}

describe('every field of the admin API', () => {
  for (const [resource, { input, isUploaded }] of Object.entries(records)) {
    const collection = `/${pathOf(resource)}`;
    test(resource, async () => {
      // No body makes what is uploaded.
      const uploaded =
        isUploaded && (await service.uploaded(await picture({ width: 8, height: 8 })));
      const path = uploaded ? `${collection}/${uploaded.id}` : collection;
      // The required fields of a new record, so that the odd field alone decides.
      const [section] = (await service.admin.get('/categories')).json.data;
      const whole = `"name":{"it":"Prova"},"menu_type":"standard","category_id":${section.id}`;
      const isMade = isCollection(resource as Resource) && !isUploaded;
      const method = isMade ? 'POST' : 'PATCH';
      const [first, ...others] = [...Object.keys(input.entries), '__proto__', 'constructor'];
      for (const field of [first, ...others]) {
        const values = field === first ? [...ODD_VALUES, ...BIG_VALUES] : ODD_VALUES;
        const bodies = values.map((value) => `{${whole},"${field}":${value}}`);
        const answers = await Promise.all(
          bodies.map((body) => service.admin.call(method, path, body)),
        );
        for (const [index, answer] of answers.entries()) {
          assertNoFault(answer, `${method} ${resource} ${bodies[index]}`);
        }
      }
    });
  }

  test('bodies that are no object', async () => {
    const others = ['\0', '\ufeff{}', '{"name":', 'NaN', '{"a":1}}'];
    for (const body of [...ODD_VALUES, ...BIG_VALUES, ...others]) {
      const answer = await service.admin.call('POST', '/items', body);
      assert.equal(answer.status, 422, body.slice(0, 100));
      assertNoFault(answer, body);
    }
  });
});

test('an unknown language is named in whole characters that can be stored', async () => {
  for (const key of [`${'a'.repeat(58)}😀`, '\ud800', 'a\0b']) {
    const body = { category_id: 1, name: { it: 'Pane', [key]: 'Brot' } };
    const { json } = (await service.admin.call('POST', '/items', body)).expect(422);
    for (const text of [...Object.keys(json.errors), json.message]) {
      assert.match(text, /name\./);
      assert.doesNotMatch(text, /[\0\p{Surrogate}]/u);
    }
  }
});

test('a name without a visible character is missing', async () => {
  const create = async (it: string) => {
    const { json } = await service.admin.call('POST', '/items', { category_id: 1, name: { it } });
    return json.errors ?? json.data.name_translations.it;
  };
  const none = { 'name.it': ['Il campo name.it è richiesto.'] };
  const marks = ['\u034f', '\ufe0f', '\u0301', '\u180b \u200d', '\u3164', '\ufffc', '\u{e0100}'];
  for (const unseen of [...marks, '\ue000', '\u0378', '\uffff']) {
    assert.deepEqual(await create(unseen), none, JSON.stringify(unseen));
  }
  const shown = ['è', '👩‍👩‍👧', '🇮🇹', '🏴\u{e0067}\u{e0062}\u{e007f}', '❤\ufe0f', '\ue000 a'];
  for (const visible of shown) assert.equal(await create(visible), visible);
});

test('an e-mail address holds no invisible character', async () => {
  const emails = ['a\u202eb@c.example', 'a\u0007@b.example', 'a@b\u200b.example', 'a@b.\u00adit'];
  for (const email of emails) {
    const { json } = await service.admin.call('PUT', '/settings', { email });
    assert.deepEqual(json.errors, { email: ['Email non è valido.'] }, JSON.stringify(email));
  }
  const email = 'caffè+1?@bücher.example';
  const { json } = await service.admin.call('PUT', '/settings', { email });
  assert.equal(json.data.email, email);
});

test('bytes that are no UTF-8 are no JSON, and nothing of them is stored', async () => {
  const dishes = async () => (await service.admin.get('/items?per_page=1')).json.meta.total;
  const [section] = (await service.admin.get('/categories')).json.data;
  const before = await dishes();
  const body = Buffer.from(`{"category_id":${section.id},"name":{"it":"\xff"}}`, 'latin1');
  const type = { 'Content-Type': 'application/json' };
  (await service.admin.call('POST', '/items', body, type)).expect(422);
  assert.equal(await dishes(), before);
});

test('every field of an event', async () => {
  const fields = ['item_id', 'category_id', 'allergen', 'query', 'locale', 'visitor_id', 'id'];
  for (const field of [...fields, 'type', 'occurred_at', 'events', '__proto__']) {
    for (const value of field === 'query' ? [...ODD_VALUES, ...BIG_VALUES] : ODD_VALUES) {
      const body = `{"type":"menu_view","${field}":${value}}`;
      const { status, json } = await service.client.sendEvents(body);
      assert.ok(status === 202 || status === 422, `${status} ${body.slice(0, 200)}`);
      assert.equal(json.success, status === 202);
    }
  }
});

test('an event has its own fields and no inherited ones', async () => {
  (await service.client.sendEvents('{"__proto__":{"type":"menu_view"}}')).expect(422);
});

test('headers that carry values', async () => {
  const dish = { category_id: 1, name: { it: 'Prova' } };
  for (const value of ['\u00ff\u00fe', '__proto__', "'; drop table dishes; --", 'a'.repeat(255)]) {
    for (const header of ['Idempotency-Key', 'If-Match', 'Prefer']) {
      const { status } = await service.admin.call('POST', '/items', dish, { [header]: value });
      assert.ok([201, 412, 422].includes(status), `${status} ${header}: ${value}`);
    }
    for (const token of [value, `Bearer ${value}`, `Bearer 1|${value}`, `Bearer ${value}|1`]) {
      const { status } = await service.client.get('/admin/items', { Authorization: token });
      assert.equal(status, 401, token);
    }
  }
});

test('queries', async () => {
  const odd = ['%00', '%ff', '%ED%A0%80', '%', '%u0000', '__proto__', '1e9', '-1', '9'.repeat(30)];
  const known: Record<string, string[]> = {
    '/items': ['category_id', 'type_id', 'is_recommended', 'search', 'page', 'per_page', 'locale'],
    '/allergens': ['locale', '__proto__'],
    '/admin/items': ['category_id', 'deleted', 'page', 'per_page', 'constructor'],
    '/admin/analytics/overview': ['from', 'to', 'limit', '__proto__'],
    '/admin/analytics/searches': ['from', 'to', 'limit'],
  };
  const headers = { Authorization: `Bearer ${service.token}` };
  for (const value of [...odd, '0000-01-01', '9999-12-31', '0001-01-01', '2026-02-30']) {
    for (const [path, names] of Object.entries(known)) {
      const queries = names.map((name) => `${path}?${name}=${value}`);
      const answers = await Promise.all(queries.map((query) => service.client.get(query, headers)));
      for (const [index, answer] of answers.entries()) assertNoFault(answer, queries[index] ?? '');
    }
    const range = await service.admin.get(`/analytics/sections?from=${value}&to=${value}`);
    assertNoFault(range, value);
  }
});

test('forms of the panel', async () => {
  await addUser(service.db, service.tenantId);
  const visitor = createVisitor(service.client);
  const long = 'a'.repeat(4_000);
  const odd = ['\0', 'a\0b', '\ud800', '\u202e', long, '__proto__', 'toString', '"><script>'];
  for (const value of odd) {
    const { status } = await visitor.submit('/admin/sign-in', { email: value, password: value });
    assert.equal(status, 422, value);
    const asked = await visitor.get(`/admin/sign-in?${new URLSearchParams([['because', value]])}`);
    assert.equal(asked.status, 200);
    assert.doesNotMatch(asked.text, /\[object|native code/);
  }
  await visitor.signIn();
  await visitor.get('/admin/api-tokens');
  for (const value of odd) {
    const form = { name: value, scopes: [value, 'menu:read'] };
    assert.equal((await visitor.post('/admin/api-tokens', form)).status, 422, value);
    const named = { name: value, scopes: 'menu:read' };
    const { status } = await visitor.post('/admin/api-tokens', named);
    assert.ok([201, 422].includes(status), `${status} ${value}`);
    for (const path of ['created', 'revoked']) {
      const query = new URLSearchParams([[path, value]]);
      assert.equal((await visitor.get(`/admin/api-tokens?${query}`)).status, 200);
    }
    await visitor.get('/admin/api-tokens');
  }
});

test('what is no colour is told to be none, however long', async () => {
  const wrong = ['red', '#12345', '#12345678', 'rebeccapurple', 'hsla(120, 100%, 50%, 0.3)'];
  for (const color of wrong) {
    const { json } = await service.admin.call('PUT', '/theme', { accent_color: color });
    const text = 'Il campo accent color deve essere un colore esadecimale valido.';
    assert.deepEqual(json.errors, { accent_color: [text] }, color);
  }
});

test('an address is one of the web, without blanks', async () => {
  for (const address of ['ftp://osteria.example/a', 'https:osteria.example', 'https://x.it/a b']) {
    const { status, json } = await service.admin.call('PUT', '/settings', { logo_url: address });
    assert.deepEqual([status, Object.keys(json.errors)], [422, ['logo_url']], address);
  }
});

test('numbers may come as texts', async () => {
  for (const [price, stored] of Object.entries({
    '7': 7,
    ' 7.50 ': 7.5,
    '.5': 0.5,
    '5.': 5,
    '1e1': 10,
  })) {
    const body = { category_id: '1', name: { it: 'In cifre' }, price };
    const { status, json } = await service.admin.call('POST', '/items', body);
    assert.deepEqual([status, json.data?.price], [201, stored], `${price}`);
  }
});

// PHP has one empty array for both and writes it as a list.
test('an empty list is an empty object, and no other list is an object', async () => {
  const description = { it: 'Di segale', de: 'Roggen' };
  const body = { category_id: 1, name: { it: 'Pane' }, description };
  const path = `/items/${(await service.admin.call('POST', '/items', body)).json.data.id}`;
  const refused = (await service.admin.call('PATCH', path, { description: ['x'] })).expect(422);
  const text = 'description.0 selezionato non è valido. Valori ammessi: it, en, fr, de, es.';
  assert.deepEqual(refused.json.errors, { 'description.0': [text] });
  const emptied = await service.admin.call('PATCH', path, { description: [] });
  assert.deepEqual([emptied.status, emptied.json.data.description_translations], [200, {}]);
  const nameless = await service.admin.call('PATCH', path, { name: [] });
  assert.deepEqual(Object.keys(nameless.json.errors), ['name.it']);
});

test('a form has its photo in the field that is documented, and other parts are named', async () => {
  const bytes = await picture({ seed: 13 });
  const send = async (parts: [name: string, value: Blob | string][], query = '') => {
    const form = new FormData();
    for (const [name, value] of parts) form.append(name, value);
    const sent = new Response(form);
    const type = sent.headers.get('content-type') ?? '';
    const body = Buffer.from(await sent.arrayBuffer());
    return service.admin.call('POST', `/photos${query}`, body, { 'Content-Type': type });
  };
  const wrong = (await send([['photo', new Blob([bytes])]])).expect(422);
  assert.deepEqual(wrong.json.codes, { file: [{ rule: 'otherField', given: 'photo' }] });
  const two = await send([
    ['file', new Blob([bytes])],
    ['file', new Blob([await picture({ seed: 14 })])],
  ]);
  assert.deepEqual(two.json.codes, { file: [{ rule: 'maxItems', max: 1 }] });
  const more: [string, Blob | string][] = [
    ['alt', 'Gricia'],
    ['thumb', new Blob([bytes])],
    ['file', new Blob([bytes])],
  ];
  const taken = (await send(more, '?album=1')).expect(201);
  assert.deepEqual(taken.json.meta.ignored, ['album', 'alt', 'thumb']);
});
