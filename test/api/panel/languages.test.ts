// Which language the panel speaks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pizzeria, trattoria } from '../../../db/operator/demo/restaurant.ts';
import { menuService } from '../../support/menu-service.ts';
import { createVisitor } from '../../support/panel.ts';

const service = await menuService([trattoria, pizzeria]);

const visit = (slug = 'trattoria') => createVisitor(service.gateway.client(slug));

test('the language is the one that the browser likes best', async () => {
  const titles: [slug: string, accept: string, title: RegExp][] = [
    ['trattoria', 'en-GB,en;q=0.9,it;q=0.8', /<html lang="en">/],
    ['trattoria', 'de;q=0.9,it-CH;q=0.7,en;q=0.5', /<html lang="de">/],
    ['trattoria', 'pt', /<html lang="it">/],
    ['trattoria', 'es-MX', /<html lang="es">/],
    ['pizzeria', 'fr,de;q=0.5', /<html lang="fr">/],
    ['pizzeria', 'pt,*;q=0.5', /<html lang="de">/],
    ['pizzeria', 'it', /<html lang="it">/],
  ];
  for (const [slug, accept, title] of titles) {
    const { text } = await visit(slug).get('/admin/sign-in', { 'Accept-Language': accept });
    assert.match(text, title, `${slug}: ${accept}`);
  }
});

test('a language that somebody chooses is kept, and beats what the browser likes', async () => {
  const visitor = visit();
  await visitor.get('/admin/sign-in');
  const choose = (language: string, back: string) =>
    visitor.post('/admin/language', { language, back });
  const chosen = await choose('fr', '/admin/sign-in');
  assert.deepEqual([chosen.status, chosen.headers.location], [303, '/admin/sign-in']);
  const [cookie = ''] = /lavagna-lang=fr/.exec(String(chosen.headers['set-cookie'])) ?? [];
  const headers = { Cookie: cookie, 'Accept-Language': 'de' };
  assert.match((await visitor.get('/admin/sign-in', headers)).text, /<html lang="fr">/);
  for (const back of ['//evil.example', 'https://evil.example', '/menu', '/admin/\r\nX: y']) {
    assert.equal((await choose('fr', back)).headers.location, '/admin', back);
  }
  const unknown = await choose('xx', '/admin');
  assert.doesNotMatch(String(unknown.headers['set-cookie'] ?? ''), /lavagna-lang/);
});
