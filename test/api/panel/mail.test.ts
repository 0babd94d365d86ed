// Mail to people, received by a real SMTP server.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compose } from '../../../db/actions/mail.ts';
import { pizzeria } from '../../../db/operator/demo/restaurant.ts';
import { createUser } from '../../../db/sql/users.ts';
import { afterFile } from '../../support/for-file.ts';
import { startMailServer } from '../../support/mail-server.ts';
import { menuService } from '../../support/menu-service.ts';
import { createVisitor, EMAIL, PASSWORD, passwordHash, type Visitor } from '../../support/panel.ts';
import { until } from '../../support/until.ts';

const mailServer = await startMailServer();
const { mails: received } = mailServer;
afterFile(mailServer.stop);
const service = await menuService([pizzeria], {
  env: { SMTP_URL: mailServer.url, MAIL_FROM: 'Menù & Co. <menu@example.com>' },
});
await add('owner', EMAIL);

async function add(role: 'owner' | 'editor', email: string): Promise<void> {
  const { db, tenantId } = service;
  await createUser(db, { tenantId, email, passwordHash, role, name: 'Ada' });
}

async function messageTo(address: string): Promise<string> {
  await until(`no message came for ${address}`, () => received.some(({ to }) => to[0] === address));
  const at = received.findIndex(({ to }) => to[0] === address);
  const [found] = received.splice(at, 1);
  return found?.text ?? '';
}

function linkIn(text: string): string {
  const [, path = ''] =
    /http:\/\/pizzeria\.localhost(?::\d+)?(\/admin\/link\/[\w-]{43})/.exec(text) ?? [];
  assert.ok(path, text);
  return path;
}

const visit = (): Visitor => createVisitor(service.client);

test('an invitation is mailed, in plain text, with a link that works', async () => {
  const owner = visit();
  await owner.signIn();
  await owner.get('/admin/people');
  const email = 'bea@pizzeria.example';
  const sent = await owner.post('/admin/people', { name: 'Bea', email, role: 'editor' });
  assert.match(sent.text, /bea@pizzeria\.example/);
  const text = await messageTo(email);
  assert.match(text, /^Content-Type: text\/plain/m);
  assert.match(text, /Guten Tag Bea,/);
  assert.match(text, /^From: .*<menu@example\.com>$/m);
  assert.match(text, /^From: =\?UTF-8\?\S+\?=/m);
  const guest = visit();
  const path = linkIn(text);
  (await guest.submit(path, { name: 'Bea', password: 'gnocchi al ragù' })).expect(303);
});

test('a forgotten password is mailed to a person, and the answer tells nothing', async () => {
  const ask = async (email: string) => {
    const visitor = visit();
    const { status, text } = await visitor.submit('/admin/forgotten', { email });
    return [status, text.replace(/name="form_token" value="[^"]*"/g, '').replaceAll(email, '')];
  };
  const known = await ask(EMAIL);
  assert.deepEqual(await ask('stranger@pizzeria.example'), known);
  const path = linkIn(await messageTo(EMAIL));
  const guest = visit();
  assert.equal((await guest.submit(path, { password: 'burrata e acciughe' })).status, 303);
  assert.equal((await visit().signIn(EMAIL, PASSWORD)).status, 422);
  assert.equal((await visit().signIn(EMAIL, 'burrata e acciughe')).status, 303);
  assert.equal(received.length, 0);
});

test('asking for links is limited as sign-ins are, and does not lock the account', async () => {
  const email = 'cleo@pizzeria.example';
  await add('editor', email);
  const statuses = [];
  for (let i = 0; i < 11; i += 1) {
    const visitor = visit();
    statuses.push((await visitor.submit('/admin/forgotten', { email })).status);
  }
  assert.deepEqual(new Set(statuses), new Set([200, 429]));
  assert.equal((await visit().signIn(email)).status, 303);
  received.length = 0;
});

test('another address counts when its link is used, and not before', async () => {
  const visitor = visit();
  const [before, next] = ['dino@pizzeria.example', 'dino@altrove.example'];
  await add('editor', before);
  await visitor.signIn(before);
  await visitor.get('/admin/account');
  const asked = { do: 'email', email: next, email_password: PASSWORD };
  assert.equal((await visitor.post('/admin/account', asked)).status, 200);
  assert.equal((await visit().signIn(next)).status, 422);
  const path = linkIn(await messageTo(next));
  assert.equal((await visitor.submit(path, {})).status, 200);
  assert.equal((await visit().signIn(next)).status, 303);
  assert.equal((await visit().signIn(before)).status, 422);
});

test('names and addresses cannot add headers to a message', async () => {
  const owner = visit();
  await owner.signIn(EMAIL, 'burrata e acciughe');
  await owner.get('/admin/people');
  const evil = 'x@pizzeria.example\r\nBcc: spy@evil.example';
  (await owner.post('/admin/people', { name: 'X', email: evil, role: 'editor' })).expect(422);
  const email = 'elio@pizzeria.example';
  const name = 'Elio\r\nBcc: spy@evil.example';
  await owner.post('/admin/people', { name, email, role: 'editor' });
  assert.doesNotMatch(await messageTo(email), /^Bcc:/m);
  assert.ok(received.every(({ to }) => !to.includes('spy@evil.example')));
});

test('a message is in the language of the person, else in that of the restaurant', () => {
  const mail = { restaurant: 'Da\nAda', defaultLocale: 'it', link: 'https://a.example/l' } as const;
  const to = { name: 'Ugo', email: 'ugo@example.com' };
  assert.match(compose('invite', { ...mail, to }).text, /^Ciao Ugo,/);
  const greetings = { en: 'Hello', fr: 'Bonjour', de: 'Guten Tag', es: 'Hola' };
  for (const [language, begin] of Object.entries(greetings)) {
    const { subject, text } = compose('password', { ...mail, to: { ...to, language } });
    assert.ok(text.startsWith(begin), text);
    assert.doesNotMatch(subject, /\n/);
  }
});
