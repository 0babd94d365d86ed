// The panel's pages of a chain: publish, rules, prices, own values, and visits of owners.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { leaveMaster } from '../../../db/actions/chains.ts';
import { changeUser, removeUser } from '../../../db/actions/users.ts';
import { createUser, findUser } from '../../../db/sql/users.ts';
import { adminService } from '../../support/admin.ts';
import { cloneHouse, follow, type House, masterHouse, openHouse } from '../../support/chain.ts';
import { plainText } from '../../support/page-forms.ts';
import {
  addUser,
  createVisitor,
  EMAIL,
  pageText,
  signedIn,
  type Visitor,
} from '../../support/panel.ts';

const service = await adminService();
const master = await masterHouse(service);
const roma = await cloneHouse(service, master, 'roma');
const bari = await openHouse(service, 'bari');
const alone = await openHouse(service, 'alone');
for (const house of [roma, bari]) await follow(service, house, master, 'name');
await addUser(service.db, master.id);
await addUser(service.db, roma.id, 'remo@roma.example');
await addUser(service.db, alone.id, 'alba@alone.example');

const clientOf = ({ slug }: House) => service.gateway.client(slug);
const at = (house: House): Visitor => createVisitor(clientOf(house));
const owner = await signedIn(clientOf(master));
const branchOwner = await signedIn(clientOf(roma), 'remo@roma.example');

describe('the page of a chain', () => {
  test('is in the navigation of a master and of a branch, and nowhere else', async () => {
    const stranger = await signedIn(clientOf(alone), 'alba@alone.example');
    for (const visitor of [owner, branchOwner]) {
      (await visitor.get('/admin')).shows('href="/admin/chain"');
    }
    (await stranger.get('/admin')).hides('href="/admin/chain"');
    assert.match(await pageText(stranger, '/admin/chain'), /non fa parte di una catena/);
    assert.equal((await at(master).get('/admin/chain')).status, 303);
  });

  test('lets a branch see its master, and none of the pages of masters', async () => {
    assert.match(await pageText(branchOwner, '/admin/chain'), /Il menù segue/);
    for (const path of ['policy', 'deviations', 'deviations.csv', 'houses/bari', 'statistics']) {
      assert.equal((await branchOwner.get(`/admin/chain/${path}`)).status, 404, path);
    }
    (await branchOwner.post('/admin/chain/houses/bari/open', {})).expect(404);
  });

  test('shows what a publication would change, and does it when it is asked for', async () => {
    const dish = await master.dish((await master.ask('GET', '/items'))[0].name);
    await master.ask('PUT', `/items/${dish.id}`, { price: 21.5 });
    assert.match(await pageText(owner, '/admin/chain'), /Indietro/);
    const tried = await owner.post('/admin/chain', { do: 'try', house: ['roma', 'bari'] });
    assert.match(plainText(tried.expect(200).text), /1 cambiato/);
    assert.notEqual((await roma.dish(dish.name)).price, 21.5);
    const done = await owner.post('/admin/chain', { do: 'publish', house: ['roma', 'bari'] });
    assert.match(plainText(done.text), /Pubblicato/);
    for (const house of [roma, bari]) assert.equal((await house.dish(dish.name)).price, 21.5);
    const [version] = await roma.ask('GET', '/versions');
    assert.deepEqual([version.origin, version.actor.name], ['chain', EMAIL]);
    assert.match(await pageText(owner, '/admin/chain/published'), /Pubblicato/);
  });

  test('plans a publication at a time as a release of the master', async () => {
    await owner.submit('/admin/chain', { do: 'try', house: 'roma', starts_at: '2099-01-01T06:00' });
    const sent = await owner.post('/admin/chain', { do: 'publish' });
    assert.equal(sent.headers.location, '/admin/chain?done=scheduled');
    assert.match((await master.ask('GET', '/releases'))[0].starts_at, /^2099-01-01T05:00/);
  });

  test('refuses a publication to no house, to a stranger, and without the form’s token', async () => {
    assert.equal((await owner.submit('/admin/chain', { do: 'try', house: [] })).status, 422);
    assert.equal((await owner.submit('/admin/chain', { do: 'try', house: 'alone' })).status, 422);
    await owner.get('/admin/chain');
    const forged = { do: 'publish', house: 'roma', form_token: 'x' };
    assert.equal((await owner.post('/admin/chain', forged)).status, 403);
  });
});

describe('rules and prices', () => {
  test('lock fields of dishes and bound prices by a form, and the branch says so', async () => {
    const rules = { locked: ['name', 'allergens'], bounded: '7,5' };
    (await owner.submit('/admin/chain/policy', rules)).expect(303);
    const { fields } = await master.ask('GET', '/chain/policy');
    assert.deepEqual(fields.items.price, { bounded: 7.5 });
    assert.deepEqual([fields.items.name, fields.items.traces], ['locked', 'free']);
    const [dish] = await roma.ask('GET', '/items');
    await roma.ask('PUT', `/items/${dish.id}`, { name: { it: 'Altro' } }, 422);
    assert.match(await pageText(branchOwner, `/admin/menu/items/${dish.id}`), /Decide la catena/);
  });

  test('refuse what is no percentage, and keep what was typed', async () => {
    const sent = await owner.submit('/admin/chain/policy', { locked: [], bounded: 'molto' });
    sent.expect(422).shows(/value="molto"/);
    await owner.get('/admin/chain/houses/roma');
    const prices = { percent: '-95', rounding: 'none' };
    assert.equal((await owner.post('/admin/chain/houses/roma', prices)).status, 422);
  });

  test('give a house its own prices with the next publication', async () => {
    const prices = { percent: '10', rounding: '.90' };
    (await owner.submit('/admin/chain/houses/roma', prices)).expect(303);
    await master.ask('POST', '/chain/publish', { branches: ['roma'] });
    for (const { price } of await roma.ask('GET', '/items')) assert.equal((price * 10) % 10, 9);
    await owner.submit('/admin/chain/houses/roma', { percent: '', rounding: 'none' });
    assert.deepEqual((await master.ask('GET', '/chain/policy')).price_lists, []);
  });
});

/** The path of a link to a house that an owner of the master has made. */
async function linkTo(house: House, visitor = owner): Promise<string> {
  await visitor.get(`/admin/chain/houses/${house.slug}`);
  const made = (await visitor.post(`/admin/chain/houses/${house.slug}/open`, {})).expect(201);
  const [, address = ''] = /href="([^"]*\/admin\/link\/[^"]*)"/.exec(made.text) ?? [];
  const url = new URL(plainText(address));
  assert.ok(url.host.startsWith(`${house.slug}.`), url.host);
  return url.pathname;
}

/** Somebody who has used the link. */
async function visiting(house: House, from = owner): Promise<Visitor> {
  const path = await linkTo(house, from);
  const visitor = at(house);
  assert.equal((await visitor.submit(path, {})).headers.location, '/admin');
  return visitor;
}

async function secondOwner(email: string): Promise<{ id: number; visitor: Visitor }> {
  const id = await addUser(service.db, master.id, email);
  return { id, visitor: await signedIn(clientOf(master), email) };
}
const contextOf = ({ id, slug }: House) => ({
  ...{ database: service.db, tenantId: id, slug },
  actor: { kind: 'operator', name: null } as const,
});

describe('a link to a house', () => {
  test('opens its panel once, and the person acts there under the own name', async () => {
    const path = await linkTo(roma);
    const visitor = at(roma);
    assert.equal((await visitor.get(path)).status, 200);
    assert.equal((await visitor.get('/admin')).status, 303);
    assert.equal((await visitor.submit(path, {})).status, 303);
    assert.equal((await at(roma).get(path)).status, 410);
    const ugo = { name: 'Ugo', email: 'ugo@roma.example', role: 'editor' };
    await visitor.submit('/admin/people', ugo);
    const log = await pageText(branchOwner, '/admin/people');
    assert.match(log, new RegExp(`${EMAIL} entra dalla catena`));
    assert.match(log, new RegExp(`${EMAIL}[^·]*ugo@roma.example`));
    assert.equal(await findUser(service.db, roma.id, EMAIL), null);
    assert.match(log, /class="state">Dalla catena</);
    const { text: people } = await branchOwner.get('/admin/people');
    const ids = [...people.matchAll(/admin\/people\/(\d+)/g)].map(([, id]) => Number(id));
    for (const id of ids) assert.equal((await branchOwner.get(`/admin/people/${id}`)).status, 200);
    const guests = await service.sql`
      select id from users where tenant_id = ${roma.id} and home_id is not null`;
    for (const { id } of guests) {
      assert.ok(!ids.includes(id));
      assert.equal((await branchOwner.get(`/admin/people/${id}`)).status, 404);
    }
  });

  test('is valid at its house alone, for a minute, and until the next one is made', async () => {
    const first = await linkTo(roma);
    for (const other of [bari, master, alone]) {
      assert.equal((await at(other).get(first)).status, 410, other.slug);
    }
    const second = await linkTo(roma);
    assert.equal((await at(roma).get(first)).status, 410);
    const late = at(roma);
    await late.get(second);
    await service.sql("update account_links set expires_at = now() where kind = 'visit'");
    assert.equal((await late.post(second, {})).status, 410);
  });

  test('that many browsers use at once lets one in', async () => {
    const path = await linkTo(roma);
    const guests = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const guest = at(roma);
        await guest.get(path);
        return guest;
      }),
    );
    const answers = await Promise.all(guests.map((guest) => guest.post(path, {})));
    assert.equal(answers.filter(({ status }) => status === 303).length, 1);
  });

  test('is for owners of the master alone, and leads to its own houses alone', async () => {
    const id = await addUser(service.db, master.id, 'ed@casa.example');
    await changeUser(contextOf(master), id, { role: 'editor' });
    const editor = await signedIn(clientOf(master), 'ed@casa.example');
    (await editor.get('/admin/chain/houses/roma')).hides(/houses\/roma\/open/);
    const path = '/admin/chain/houses/roma/open';
    const form_id = '00000000-0000-4000-8000-000000000001';
    await editor.get('/admin/chain/policy');
    assert.equal((await editor.post(path, { form_id })).status, 422);
    await owner.get('/admin/chain/houses/roma');
    assert.equal((await owner.post('/admin/chain/houses/alone/open', {})).status, 404);
  });

  test('is not used by a page of another site', async () => {
    const path = await linkTo(roma);
    const visitor = at(roma);
    await visitor.get(path);
    const foreign = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' };
    assert.equal((await visitor.post(path, {}, foreign)).status, 403);
    assert.equal((await visitor.submit(path, { form_token: 'x' })).status, 403);
    assert.equal((await visitor.get('/admin')).status, 303);
  });

  test('is refused where the house has a person of its own with the address', async () => {
    const email = 'remo@roma.example';
    const { visitor } = await secondOwner(email);
    await visitor.get('/admin/chain/houses/roma');
    const made = (await visitor.post('/admin/chain/houses/roma/open', {})).expect(422);
    assert.match(plainText(made.text), /Lì c’è già una persona/);
  });
});

describe('a visitor from the chain', () => {
  test('has neither password, passkey nor account at the house', async () => {
    const visitor = await visiting(bari);
    assert.equal((await visitor.get('/admin/account')).status, 403);
    await visitor.get('/admin');
    (await visitor.post('/admin/account/passkeys', { credential: '' })).expect(403);
    assert.equal((await at(bari).signIn()).status, 422);
    const clash = { tenantId: bari.id, email: EMAIL, passwordHash: null };
    assert.equal(await createUser(service.db, clash), null);
  });

  test('is out of all houses at once when removed at the master', async () => {
    const { id, visitor: person } = await secondOwner('lia@casa.example');
    const visits = [await visiting(roma, person), await visiting(bari, person)];
    const path = await linkTo(roma, person);
    for (const visit of visits) assert.equal((await visit.get('/admin')).status, 200);
    await removeUser(contextOf(master), id);
    for (const visit of visits) assert.equal((await visit.get('/admin')).status, 303);
    assert.equal((await at(roma).get(path)).status, 410);
  });

  test('is out with another role or another password at the master', async () => {
    const { id, visitor: person } = await secondOwner('pia@casa.example');
    const visit = await visiting(roma, person);
    await person.submit('/admin/account', { do: 'end-all' });
    assert.equal((await visit.get('/admin')).status, 303);
    const again = await visiting(roma, person);
    await changeUser(contextOf(master), id, { role: 'editor' });
    assert.equal((await again.get('/admin')).status, 303);
  });

  test('is out when the house leaves the chain', async () => {
    const visit = await visiting(bari);
    const path = await linkTo(bari);
    await leaveMaster(service.db, 'bari');
    assert.equal((await visit.get('/admin')).status, 303);
    assert.equal((await at(bari).get(path)).status, 410);
    await owner.get('/admin/chain/houses/roma');
    assert.equal((await owner.post('/admin/chain/houses/bari/open', {})).status, 404);
  });
});

describe('the statistics of a chain', () => {
  test('show dishes, searches and texts without result of all houses beside each other', async () => {
    const [dish] = await master.ask('GET', '/items');
    const own = await roma.dish(dish.name);
    const day = 'current_date';
    await service.sql(
      `insert into analytics_counts (tenant_id, scope, day, key, events, visitors) values
        (${master.id}, 'item', ${day}, '${dish.id}', 5, 5), (${roma.id}, 'item', ${day}, '${own.id}', 7, 7),
        (${roma.id}, 'type', ${day}, 'search', 3, 0), (${alone.id}, 'item', ${day}, '1', 99, 99)`,
    );
    await service.sql`
      insert into analytics_empty_searches values (${roma.id}, current_date, '=pizza', 3)`;
    const table = await owner.get('/admin/chain/statistics.csv');
    table.shows(new RegExp(`dish,${dish.name},12,5,7`), /search,.*,3,0,3/, /missed,'=pizza,3,0,3/);
    table.hides(/99/);
    assert.match(await pageText(owner, '/admin/chain/statistics'), /=pizza/);
  });
});
