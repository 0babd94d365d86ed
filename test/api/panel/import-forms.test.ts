// Forms of the page of imports that come twice, from elsewhere, too late, or to a slow worker.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { adminService } from '../../support/admin.ts';
import { plainText } from '../../support/page-forms.ts';
import {
  addUser,
  createVisitor,
  EMAIL,
  PASSWORD,
  signedIn,
  type Visitor,
} from '../../support/panel.ts';
import { plant, restaurantOf } from '../../support/restaurant.ts';
import { untilStatus } from '../../support/until.ts';
import { startTestWorker } from '../../support/worker.ts';

const PATH = '/admin/import';
const english = { 'Accept-Language': 'en' };

const service = await adminService();
await addUser(service.db, service.tenantId);

const enter = (slug = 'osteria') => signedIn(service.gateway.client(slug));
const priced = (price: number) => `id;price\n1;${price}\n`;
async function show(visitor: Visitor, table: string, fields: Record<string, string> = {}) {
  await visitor.get(PATH);
  const file = { name: 'prezzi.csv', bytes: Buffer.from(table) };
  return visitor.upload(PATH, { do: 'show', ...fields }, file, english);
}
/** Presses the button of the form that applies; another form of the page reads the table anew. */
function apply(visitor: Visitor, fields: Record<string, string> = {}) {
  const forms = visitor.page.text.match(/<form\b[\s\S]*?<\/form>/g) ?? [];
  const form = forms.find((text) => text.includes('name="do" value="apply"')) ?? '';
  const own = Array.from(
    form.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g),
    ([, name = '', value = '']) => [name, plainText(value)],
  );
  const all = { ...Object.fromEntries(own), do: 'apply', ...fields };
  return visitor.upload(PATH, all, null, english);
}
const priceNow = async () => (await service.client.get('/items/1')).json.data.price;
const version = async () =>
  (await service.sql('select version from tenants order by id limit 1'))[0].version;

test('the same confirmation, sent twice at once and once more later, is one change', async () => {
  const owner = await enter();
  await show(owner, priced(20));
  const shown = owner.page;
  const before = await version();
  const [first, second] = await Promise.all([apply(owner), apply(owner)]);
  assert.deepEqual([first.status, second.status], [303, 303]);
  assert.equal(first.headers.location, second.headers.location);
  assert.equal(await version(), before + 1);
  await service.admin.call('PATCH', '/items/1', { price: 21 });
  owner.page = shown;
  assert.equal((await apply(owner)).headers.location, first.headers.location);
  assert.equal(await priceNow(), 21);
});

test('a menu that has changed since is compared anew, and asked about again', async () => {
  const [one, other] = [await enter(), await enter()];
  await show(one, priced(30));
  await show(other, priced(31));
  assert.equal((await apply(one)).status, 303);
  const refused = (await apply(other)).expect(200);
  refused.shows(/The menu has changed meanwhile, so nothing was applied/);
  refused.shows(/<del>30\.00<\/del>.*<ins>31\.00<\/ins>/);
  assert.equal(await priceNow(), 30);
  assert.equal((await apply(other)).status, 303);
  assert.equal(await priceNow(), 31);
});

test('a tag that a form was not given makes a comparison, never a change', async () => {
  const owner = await enter();
  for (const etag of ['*', '', '"v1", *', 'W/"v1"', '"v999999"']) {
    await show(owner, priced(77));
    assert.equal((await apply(owner, { etag })).status, 200, etag);
    assert.equal(await priceNow(), 31, etag);
  }
});

test('a form from elsewhere, or without its token, changes nothing and keeps the file', async () => {
  const owner = await enter();
  await show(owner, priced(66));
  const shown = owner.page;
  for (const headers of [{ Origin: 'https://evil.example' }, { 'Sec-Fetch-Site': 'cross-site' }]) {
    owner.page = shown;
    (await owner.upload(PATH, { do: 'apply' }, null, { ...english, ...headers })).expect(403);
  }
  owner.page = shown;
  const stale = (await apply(owner, { form_token: 'wrong' })).expect(403);
  stale.shows(/The file is still here and nothing has changed/);
  assert.equal(await priceNow(), 31);
  (await owner.upload(PATH, { do: 'show' }, null, english)).shows(/<ins>66\.00<\/ins>/);
});

test('a session of another restaurant neither reads nor writes here', async () => {
  const id = await plant(service.db, { ...restaurantOf('altra', []), wineries: [] });
  await addUser(service.db, id);
  const stranger = await enter('altra');
  await show(stranger, priced(55));
  const { cookie, page } = stranger;
  const here = createVisitor(service.client);
  Object.assign(here, { cookie, page });
  (await apply(here)).shows(/Your session has expired/);
  here.cookie = cookie;
  assert.match((await here.get(`${PATH}/export`)).headers.location ?? '', /sign-in/);
  assert.equal(await priceNow(), 31);
});

test('after the session has ended, a file is there again once its sender has signed in', async () => {
  const owner = await enter();
  await show(owner, priced(40), { delete_missing: '1' });
  await service.sql('delete from sessions');
  (await apply(owner)).shows(/Your session has expired/);
  const resumed = await owner.post('/admin/sign-in', { email: EMAIL, password: PASSWORD }, english);
  resumed.shows(/You are signed in again, and the file is still here/, /prezzi\.csv/);
  resumed.shows(/<ins>40\.00<\/ins>/, /diff deleted/);
  assert.equal(await priceNow(), 31);
  assert.equal((await apply(owner)).status, 303);
  assert.equal(await priceNow(), 40);
});

test('a file that is too large to keep is asked for again, in a sentence', async () => {
  const owner = await enter();
  await owner.get(PATH);
  for (const length of [200_000, 2_000_000]) {
    const { page } = owner;
    await service.sql('delete from sessions');
    const bytes = Buffer.from(`id\n${randomBytes(length).toString('hex')}`);
    const file = { name: 'a.csv', bytes };
    const asked = await owner.upload(PATH, { do: 'show' }, file, english);
    asked.shows(/the file was too large to keep/);
    const back = await owner.post('/admin/sign-in', { email: EMAIL, password: PASSWORD }, english);
    assert.equal(back.headers.location, PATH);
    owner.page = page;
  }
});

test('a stranger’s upload from another site is not kept', async () => {
  const stranger = createVisitor(service.client);
  const headers = { Origin: 'https://evil.example' };
  const file = { name: 'a.csv', bytes: Buffer.from(priced(1)) };
  (await stranger.upload(PATH, { do: 'show' }, file, headers)).expect(403).hides(/name="kept"/);
});

test('while no worker runs nothing is lost: the same form finds what it has asked for', async () => {
  const slow = await adminService({ constants: { writeTimeout: 500, writeSecuredAfter: 100 } });
  await addUser(slow.db, slow.tenantId);
  const owner = await signedIn(slow.client);
  const price = async () => (await slow.client.get('/items/1')).json.data.price;
  const before = await price();
  await slow.worker.stop();
  const asked = (await show(owner, priced(before + 1))).expect(202);
  asked.shows(/The comparison takes longer than usual. The file is here/);
  const later = { Prefer: 'respond-async' };
  slow.worker = await startTestWorker(slow.databaseUrl);
  const again = () => owner.upload(PATH, { do: 'show' }, null, english);
  await untilStatus('the comparison has no result', 200, again);
  await slow.worker.stop();
  (await apply(owner)).expect(202).shows(/Your change is kept, but not done yet/);
  assert.equal(await price(), before);
  await slow.admin.call('PATCH', '/items/2', { price: 9 }, later);
  slow.worker = await startTestWorker(slow.databaseUrl);
  await untilStatus('the change has no result', 303, () => apply(owner));
  assert.equal(await price(), before + 1);
});

test('an owner who sends too much in a minute keeps the file', async () => {
  const bounded = await adminService({ constants: { maxPanelWrites: 1 } });
  await addUser(bounded.db, bounded.tenantId);
  const owner = await signedIn(bounded.client);
  assert.equal((await show(owner, priced(1))).status, 200);
  (await apply(owner)).expect(429).shows(/Too many changes in one minute. The file is still here/);
});
