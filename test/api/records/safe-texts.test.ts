// Signs in texts that deceive readers, at every door through which texts come.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { adminService } from '../../support/admin.ts';
import { callCli } from '../../support/cli.ts';
import { addUser, signedIn } from '../../support/panel.ts';

const service = await adminService();
await addUser(service.db, service.tenantId);
const owner = await signedIn(service.client);

const UNSAFE = [
  'Pasta \u202eolleps',
  'dell\u0092oste',
  'Pane\u0007',
  'Pane\u001b[31m',
  'Pa\u007fne',
  'Pa\u2066ne',
  'Pa\u009fne',
  'a\u0000b',
];
const FORMAT = ['Il formato del campo name.it non è valido.'];
const SAFE = ['🍕 Pizza', 'حساء العدس', 'می\u200cخواهم', '👩‍👩‍👧', '🏴\u{e0067}\u{e0062}\u{e007f}'];

const search = async (text: string) => {
  const { json } = await service.client.get(`/items?search=${encodeURIComponent(text)}`);
  return json.data.map(({ name }: { name: string }) => name);
};

describe('a name with a control character, a turn of direction or half a sign is refused', () => {
  for (const it of [...UNSAFE, '\ud800', 'Pa\nne', 'Pa\tne']) {
    test(JSON.stringify(it), async () => {
      const data = { category_id: 1, name: { it } };
      const created = (await service.admin.call('POST', '/items', data)).expect(422);
      assert.deepEqual(created.json.errors, { 'name.it': FORMAT });
      const operations = [{ resource: 'items', action: 'create', data }];
      const bulk = await service.admin.call('POST', '/bulk', { operations });
      assert.deepEqual(bulk.json.errors, { 'operations.0.name.it': FORMAT });
      const document = { format: 'lavagna-menu/1', wineries: [{ name: it }] };
      (await service.admin.call('PUT', '/import', document)).expect(422);
      const sizes = { category_id: 1, name: { it: 'Pane' }, variants: [{ label: it, price: 1 }] };
      assert.equal((await service.admin.call('POST', '/items', sizes)).status, 422);
      (await service.admin.call('PUT', '/settings', { recommended_label: it })).expect(422);
    });
  }

  for (const it of UNSAFE) {
    test(`${JSON.stringify(it)} in a table, a form and an argument`, async () => {
      (await service.admin.importTable(`category_id,name_it\n1,${it}\n`)).expect(422);
      (await owner.submit('/admin/menu/wineries/new', { name: it, do: 'save' })).expect(422);
      const args = ['tenant', 'create', 'nuovo', '--name', it];
      assert.equal((await callCli(args, { DATABASE_URL: service.databaseUrl })).code, 2);
      (await service.client.sendEvents({ type: 'search', query: it })).expect(422);
    });
  }
});

test('a description keeps its lines, and takes no other control character', async () => {
  const bread = { category_id: 1, name: { it: 'Pane' } };
  const create = (it: string) =>
    service.admin.call('POST', '/items', { ...bread, description: { it } });
  assert.equal((await create('Uno\r\n\tdue')).json.data.description, 'Uno\r\n\tdue');
  assert.equal((await create('Uno\u0085due')).status, 422);
});

test('names of every script and emoji are taken as they are', async () => {
  for (const it of SAFE) {
    const { json } = await service.admin.call('POST', '/items', { category_id: 1, name: { it } });
    assert.equal(json.data?.name, it);
  }
  const phone = '+49 (0)89 0000 8800 / +49 172 0000 411';
  assert.equal((await service.admin.call('PUT', '/settings', { phone })).json.data.phone, phone);
});

test('search finds a name with a character of no width', async () => {
  await service.admin.call('POST', '/items', { category_id: 1, name: { it: 'Gri\u200bcia' } });
  assert.deepEqual(await search('gricia'), ['Gri\u200bcia']);
});

test('a letter with its accent is one name, whether it is one sign or two', async () => {
  const [composed, split] = ['Tiramis\u00f9', 'Tiramisu\u0300'];
  for (const it of [composed, split]) {
    const { json } = await service.admin.call('POST', '/items', { category_id: 1, name: { it } });
    assert.equal(json.data.name, composed);
  }
  assert.deepEqual(await search(split), [composed, composed]);
});
