import assert from 'node:assert/strict';
import { test } from 'node:test';
import { constants } from '../../../db/runtime/constants.ts';
import { menuService } from '../../support/menu-service.ts';
import { addUser, signedIn } from '../../support/panel.ts';
import { restaurantOf } from '../../support/restaurant.ts';

const service = await menuService([restaurantOf('trattoria', [])]);
const userId = await addUser(service.db, service.tenantId);

/** Adds tokens that were revoked an hour after one another. */
function addRevoked(count: number) {
  return service.sql(
    `insert into tokens (tenant_id, user_id, name, scopes, hash, revoked_at)
     select $1, $2, 'n' || n, array['menu:read'], '\\x00', now() - n * interval '1 hour'
     from generate_series(1, $3) as n`,
    [service.tenantId, userId, count],
  );
}

test('names that people gave run as their letters do', async () => {
  const visitor = await signedIn(service.client);
  await addRevoked(1);
  const page = await visitor.get('/admin/api-tokens');
  page.shows(/<p class="name" translate="no" dir="auto">trattoria</, /<h3 dir="auto">n1</);
  await service.sql('delete from tokens');
});

test('a list that is whole does not say that tokens are missing from it', async () => {
  const visitor = await signedIn(service.client);
  const list = async () => {
    const { text } = await visitor.get('/admin/api-tokens');
    return {
      shown: text.split('<li class="token ').length - 1,
      saysMore: text.includes('I codici revocati da più tempo non sono in elenco.'),
    };
  };
  await addRevoked(constants.maxListedTokens);
  assert.deepEqual(await list(), { shown: constants.maxListedTokens, saysMore: false });
  await addRevoked(1);
  assert.deepEqual(await list(), { shown: constants.maxListedTokens, saysMore: true });
});

test('tokens that are active stand before all that are revoked, the latest first', async () => {
  await service.sql('delete from tokens');
  await addRevoked(constants.maxListedTokens + 1);
  await service.sql(
    `insert into tokens (tenant_id, user_id, name, scopes, hash, created_at)
     select $1, $2, name, array['menu:read'], '\\x00', now() - interval '1 year' * age
     from (values ('vecchio', 2), ('nuovo', 1)) as t (name, age)`,
    [service.tenantId, userId],
  );
  const visitor = await signedIn(service.client);
  const { text } = await visitor.get('/admin/api-tokens');
  const names = Array.from(text.matchAll(/<h3[^>]*>([^<]*)</g), ([, name]) => name);
  assert.deepEqual(names.slice(0, 4), ['nuovo', 'vecchio', 'n1', 'n2']);
});
