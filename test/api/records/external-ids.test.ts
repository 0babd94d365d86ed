// Keys that integrators give records, and references by them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adminService } from '../../support/admin.ts';
import type { Response } from '../../support/http.ts';

type Fields = Record<string, unknown>;

const service = await adminService();
const { data } = (await service.client.get('/categories')).json;
const [section, other] = data.map(({ id }: { id: number }) => id);

const { call } = service.admin;
const TAKEN = { external_id: ['External id è già stato utilizzato.'] };

async function create(path: string, body: Fields): Promise<number> {
  return (await call('POST', path, body)).expect(201).json.data.id;
}
function refused(reply: Response, errors: unknown): void {
  assert.equal(reply.status, 422, reply.text);
  assert.deepEqual(reply.json.errors, errors);
}

test('an external id is 1 to 128 characters of any script, for admins alone', async () => {
  const name = { it: 'Forme' };
  const longest = `Cassa 7 · è 日本 🍝${'x'.repeat(112)}`;
  assert.equal([...longest].length, 128);
  const id = await create('/categories', { name, external_id: ` ${longest} ` });
  assert.equal((await call('GET', `/categories/${id}`)).json.data.external_id, longest);
  assert.doesNotMatch((await service.client.get('/menu')).text, /external_id/);
  const wrong: [unknown, string][] = [
    ['a\u0007b', 'Il formato del campo external id non è valido.'],
    ['a\nb', 'Il formato del campo external id non è valido.'],
    ['\u200b', 'Il formato del campo external id non è valido.'],
    ['🍝'.repeat(129), 'External id non può contenere più di 128 caratteri.'],
    [5, 'External id deve essere una stringa.'],
  ];
  for (const [external_id, text] of wrong) {
    refused(await call('PATCH', `/categories/${id}`, { external_id }), { external_id: [text] });
  }
  const cleared = await call('PATCH', `/categories/${id}`, { external_id: '' });
  assert.equal(cleared.json.data.external_id, null);
});

test('it is unique among the records of a kind that are there', async () => {
  const dish = { category_id: section, name: { it: 'Uno' } };
  const first = await create('/items', { ...dish, external_id: 'D-1' });
  refused(await call('POST', '/items', { ...dish, external_id: 'D-1' }), TAKEN);
  const second = await create('/items', { ...dish, external_id: 'd-1' });
  refused(await call('PATCH', `/items/${second}`, { external_id: 'D-1' }), TAKEN);
  // Its own, that of another kind, and that of a deleted record are free.
  assert.equal((await call('PATCH', `/items/${first}`, { external_id: 'D-1' })).status, 200);
  await create('/wineries', { name: 'Zidarich', external_id: 'D-1' });
  assert.equal((await call('DELETE', `/items/${first}`)).status, 204);
  assert.equal((await call('PATCH', `/items/${second}`, { external_id: 'D-1' })).status, 200);
});

test('a record whose external id was taken meanwhile is not restored, with all that it took along', async () => {
  const parent = await create('/categories', { name: { it: 'S' }, external_id: 'S-9' });
  const dish = { name: { it: 'Due' }, external_id: 'D-9' };
  const gone = await create('/items', { ...dish, category_external_id: 'S-9' });
  assert.equal((await call('DELETE', `/categories/${parent}`)).status, 204);
  const taker = await create('/items', { ...dish, category_id: section });
  refused(await call('POST', `/categories/${parent}/restore`), TAKEN);
  assert.equal((await call('GET', `/categories/${parent}`)).status, 404);
  assert.equal((await call('GET', `/items/${gone}`)).status, 404);
  // The queue goes on, and the restore succeeds when the key is free again.
  assert.equal((await call('PATCH', `/items/${taker}`, { external_id: null })).status, 200);
  assert.equal((await call('POST', `/categories/${parent}/restore`)).status, 200);
  assert.equal((await call('GET', `/items/${gone}`)).json.data.external_id, 'D-9');
});

test('a reference can be sent as an external id', async () => {
  await call('PATCH', `/categories/${section}`, { external_id: 'ANTIPASTI' });
  const mixed = { name: { it: 'Misti' }, external_id: 'MISTI' };
  const type = await create('/types', { ...mixed, category_external_id: 'ANTIPASTI' });
  const winery = await create('/wineries', { name: 'Škerk', external_id: 'SKERK' });
  const id = await create('/items', {
    name: { it: 'Tagliere' },
    category_external_id: 'ANTIPASTI',
    type_external_id: 'MISTI',
    winery_external_id: 'SKERK',
  });
  const read = async () => (await call('GET', `/items/${id}`)).json.data;
  const { category_id, type_id, winery_id } = await read();
  assert.deepEqual([category_id, type_id, winery_id], [section, type, winery]);
  await call('PATCH', `/items/${id}`, { type_external_id: null, winery_external_id: '' });
  const cleared = await read();
  assert.deepEqual([cleared.type_id, cleared.winery_id], [null, null]);
  const below = await create('/categories', {
    name: { it: 'Sotto' },
    parent_external_id: 'ANTIPASTI',
  });
  assert.equal((await call('GET', `/categories/${below}`)).json.data.parent_id, section);
});

test('a reference that is unknown, missing or contradicts its id is refused by its name', async () => {
  const name = { it: 'Tre' };
  const invalid = (field: string, text: string) => ({
    [field]: [`${text} selezionato non è valido.`],
  });
  const category = invalid('category_external_id', 'Category external id');
  const cases: [Fields, unknown][] = [
    [{ category_external_id: 'NESSUNA' }, category],
    [{ category_external_id: 'ANTIPASTI', category_id: other }, category],
    [{ category_external_id: 'antipasti', category_id: section }, category],
    [
      { category_id: section, type_external_id: 'NESSUNO' },
      invalid('type_external_id', 'Type external id'),
    ],
    [{ category_external_id: null }, { category_id: ['Il campo category id è richiesto.'] }],
    [
      { category_external_id: 'a\tb' },
      { category_external_id: ['Il formato del campo category external id non è valido.'] },
    ],
  ];
  for (const [body, errors] of cases)
    refused(await call('POST', '/items', { name, ...body }), errors);
  const both = { name, category_external_id: 'ANTIPASTI', category_id: section };
  assert.equal((await call('POST', '/items', both)).status, 201);
  // A type of another section is no type of this one, by whichever name it comes.
  const misplaced = { name, category_id: other, type_external_id: 'MISTI' };
  const reply = (await call('POST', '/items', misplaced)).expect(422);
  assert.equal(Object.keys(reply.json.errors).length, 1);
});
