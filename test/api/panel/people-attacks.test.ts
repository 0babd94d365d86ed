// Links that are used by two, too late or for another purpose, and what is left of a removed person.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trattoria } from '../../../db/operator/demo/restaurant.ts';
import { createUser } from '../../../db/sql/users.ts';
import { createAdminClient } from '../../support/admin.ts';
import { createToken } from '../../support/create-token.ts';
import { plainText } from '../../support/page-forms.ts';
import {
  createVisitor,
  PASSWORD,
  passwordHash,
  signedIn,
  type Visitor,
} from '../../support/panel.ts';
import { panelService } from '../../support/panel-service.ts';

const CHOSEN = 'gnocchi al ragù';
const service = await panelService([trattoria]);

const visit = (): Visitor => createVisitor(service.client);
const signedInAs = (email?: string, password?: string): Promise<Visitor> =>
  signedIn(service.client, email, password);

async function addPerson(email: string): Promise<number> {
  const { db, tenantId } = service;
  const person = { tenantId, email, passwordHash, role: 'editor', name: 'Ugo' } as const;
  return Number(await createUser(db, person));
}

/** The link that an owner makes: an invitation, or one for a new password. */
async function linkOf(owner: Visitor, path: string, fields: Record<string, string>) {
  await owner.get(path);
  const made = (await owner.post(path, fields)).expect(201);
  const [, text = ''] = /<textarea id="link-value"[^>]*>([^<]*)</.exec(made.text) ?? [];
  return new URL(plainText(text)).pathname;
}
const passwordLink = (owner: Visitor, id: number) =>
  linkOf(owner, `/admin/people/${id}`, { do: 'link' });

test('an invitation that ten browsers accept at once is accepted by one', async () => {
  const owner = await signedInAs();
  const invited = { name: 'Ada', email: 'ada@trattoria.example', role: 'editor' };
  const path = await linkOf(owner, '/admin/people', invited);
  const guests = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const guest = visit();
      await guest.get(path);
      return guest;
    }),
  );
  const answers = await Promise.all(
    guests.map((guest, at) => guest.post(path, { name: 'Ada', password: `${CHOSEN} ${at}` })),
  );
  const joined = answers.flatMap(({ status }, at) => (status === 303 ? [at] : []));
  assert.equal(joined.length, 1, answers.map(({ status }) => status).join());
  await signedInAs('ada@trattoria.example', `${CHOSEN} ${joined[0]}`);
});

test('a link for a password is used once, gives no other role, and ends with the next password', async () => {
  const owner = await signedInAs();
  const email = 'ugo@trattoria.example';
  const id = await addPerson(email);
  const first = await passwordLink(owner, id);
  const guest = visit();
  await guest.get(first);
  // The link is of its person: another name or role in the form means nothing.
  const evil = { password: CHOSEN, role: 'owner', email: 'iole@trattoria.example', name: 'Iole' };
  assert.equal((await guest.post(first, evil)).status, 303);
  assert.equal((await guest.get('/admin/people')).status, 403);
  assert.equal((await visit().get(first)).status, 410);
  const again = visit();
  assert.equal((await again.post(first, { password: PASSWORD })).status, 410);
  await signedInAs(email, CHOSEN);

  // A person who remembers the password and changes it needs no link any more.
  const second = await passwordLink(owner, id);
  const ugo = await signedInAs(email, CHOSEN);
  const change = { do: 'password', present: CHOSEN, new: 'burrata e acciughe' };
  (await ugo.submit('/admin/account', change)).expect(303);
  assert.equal((await visit().get(second)).status, 410);

  // The role is the one that the person has by then.
  const third = await passwordLink(owner, id);
  await owner.submit(`/admin/people/${id}`, { do: 'save', name: 'Ugo', role: 'service' });
  const late = visit();
  const used = await late.submit(third, { password: CHOSEN });
  assert.ok([303, 410].includes(used.status), used.text);
  assert.notEqual((await late.get('/admin/menu')).status, 200);
});

test('of a removed person no link, session, open form, token or passkey is left', async () => {
  const owner = await signedInAs();
  const email = 'pia@trattoria.example';
  const id = await addPerson(email);
  const { db, tenantId, client } = service;
  const scopes = ['menu:read', 'menu:write'] as const;
  const { token } = await createToken(db, { tenantId, userId: id, name: 'T', scopes });
  const admin = createAdminClient(client, token);
  const link = await passwordLink(owner, id);
  const pia = await signedInAs(email);
  await pia.get('/admin/service');
  assert.equal((await admin.get('/items')).status, 200);
  await owner.submit(`/admin/people/${id}`, { do: 'remove' });

  assert.equal((await visit().get(link)).status, 410);
  const form = { dish: '1', do: 'open', form_id: '0190b6c2-0000-7000-8000-000000000000' };
  const tapped = await pia.post('/admin/service', form);
  assert.match(tapped.headers.location ?? tapped.text, /\/admin\/sign-in/);
  assert.equal((await pia.get('/admin/account')).status, 303);
  assert.equal((await client.get('/items/1')).json.data.is_sold_out, false);
  for (const [path, method] of Object.entries({ items: 'GET', 'items/1': 'PATCH', bulk: 'POST' })) {
    const body = method === 'GET' ? undefined : { price: 1 };
    const { status, json } = await admin.call(method, `/${path}`, body);
    assert.deepEqual([status, json.message], [401, 'Unauthenticated.'], path);
  }
  const left = await service.sql(
    `select (select count(*) from sessions where user_id = $1)
      + (select count(*) from tokens where user_id = $1)
      + (select count(*) from account_links where user_id = $1)
      + (select count(*) from passkeys where user_id = $1) as count`,
    [id],
  );
  assert.equal(Number(left[0]?.count), 0);
});
