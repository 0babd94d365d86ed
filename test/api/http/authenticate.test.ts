import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import * as v from 'valibot';
import { createRestaurant } from '../../../db/actions/restaurants.ts';
import { createDatabase } from '../../../db/postgres/connection.ts';
import { type Db, sql } from '../../../db/postgres/sql.ts';
import { constants } from '../../../db/runtime/constants.ts';
import type { Scope } from '../../../db/schema/token.ts';
import { revokeToken } from '../../../db/sql/tokens.ts';
import { createUser, deleteUser, findUser } from '../../../db/sql/users.ts';
import {
  ForbiddenError,
  UnauthenticatedError,
  UnavailableError,
} from '../../../gateway/http/errors.ts';
import { createAuthenticator, createTokenUses } from '../../../gateway/pipeline/authenticate.ts';
import { createToken } from '../../support/create-token.ts';
import { createTestDatabase } from '../../support/database.ts';
import { each } from '../../support/each.ts';
import { afterFile } from '../../support/for-file.ts';

const log = pino({ level: 'silent' });
let lookUps = 0;
const database = await createTestDatabase();
afterFile(database.drop);
const db = await createDatabase(database.url, {
  ...{ maxConnections: 3, statementTimeout: 60_000, connectionTimeout: 60_000 },
});
afterFile(() => db.end());
const slugs = new Map<number, string>();

async function newTenant(slug: string): Promise<number> {
  const id = await createRestaurant(db, { slug, name: slug, locale: 'it' });
  slugs.set(id, slug);
  return id;
}

async function newToken(tenant: number, email: string, scopes: Scope[] = ['menu:write']) {
  const user = { tenantId: tenant, email, passwordHash: 'none' };
  const userId = (await createUser(db, user)) as number;
  return createToken(db, { tenantId: tenant, userId, name: 'test', scopes });
}

function ask(tenant: number, authorization: string | null, scope: Scope = 'menu:write') {
  const headers = new Map(authorization === null ? [] : [['authorization', authorization]]);
  return authenticator.authenticate({ id: tenant, slug: slugs.get(tenant) ?? '' }, headers, scope);
}

const counted: Db = {
  ...db,
  any: (query) => {
    lookUps += 1;
    return db.any(query);
  },
};
const authenticator = createAuthenticator(counted, log, constants);
afterFile(() => authenticator.stop());
const tenantId = await newTenant('trattoria');
const otherTenantId = await newTenant('pizzeria');

test('a token opens what its scopes name, and the scheme may be in any case', async () => {
  const { id, token } = await newToken(tenantId, 'a@example.com', ['menu:read', 'menu:write']);
  assert.equal((await ask(tenantId, `Bearer ${token}`)).id, id);
  assert.equal((await ask(tenantId, `bearer  ${token} `, 'menu:read')).id, id);
  await assert.rejects(ask(tenantId, `Bearer ${token}`, 'analytics:read'), ForbiddenError);
});

test('a token of one tenant is unknown to another', async () => {
  const { token } = await newToken(tenantId, 'b@example.com');
  await assert.rejects(ask(otherTenantId, `Bearer ${token}`), UnauthenticatedError);
});

test('the tenant is the one of the host, also when another tenant has its id by now', async () => {
  const { token } = await newToken(otherTenantId, 'f@example.com');
  const headers = new Map([['authorization', `Bearer ${token}`]]);
  const mistaken = { id: otherTenantId, slug: 'trattoria' };
  const asked = authenticator.authenticate(mistaken, headers, 'menu:write');
  await assert.rejects(asked, UnauthenticatedError);
});

test('everything that is not an active token of the tenant is refused alike', async () => {
  const { id, token } = await newToken(tenantId, 'c@example.com');
  const plain = token.split('|')[1];
  const bad = [
    null,
    '',
    'Bearer',
    'Bearer ',
    `Basic ${token}`,
    token,
    `Bearer ${plain}`,
    `Bearer ${id}|`,
    `Bearer |${plain}`,
    `Bearer ${id}|${plain}x`,
    `Bearer ${id}|${'x'.repeat(40)}`,
    `Bearer ${id + 1000}|${plain}`,
    `Bearer 0${id}|${plain}`,
    `Bearer 9999999999|${plain}`,
    `Bearer -1|${plain}`,
    `Bearer ${id}|${'x'.repeat(5_000)}`,
    `Bearer ${id}|\u0000`,
    `Bearer ${id}|' or 1=1 --`,
  ];
  for (const header of bad) await assert.rejects(ask(tenantId, header), UnauthenticatedError);
});

test('a revoked token and one whose user is gone are dead at once', async () => {
  const revoked = await newToken(tenantId, 'd@example.com');
  const orphan = await newToken(tenantId, 'e@example.com');
  await ask(tenantId, `Bearer ${revoked.token}`);
  await ask(tenantId, `Bearer ${orphan.token}`);
  await revokeToken(db, tenantId, revoked.id);
  await deleteUser(db, tenantId, (await findUser(db, tenantId, 'e@example.com'))?.id ?? 0);
  await assert.rejects(ask(tenantId, `Bearer ${revoked.token}`), UnauthenticatedError);
  await assert.rejects(ask(tenantId, `Bearer ${orphan.token}`), UnauthenticatedError);
});

test('requests that arrive together share look-ups, and each gets its own token', async () => {
  const tokens = await Promise.all(
    Array.from({ length: 20 }, (_, i) => newToken(i % 2 ? tenantId : otherTenantId, `${i}@x.it`)),
  );
  lookUps = 0;
  const found = await Promise.all(
    tokens.map(({ token }, i) => ask(i % 2 ? tenantId : otherTenantId, `Bearer ${token}`)),
  );
  assert.deepEqual(each(found, 'id'), each(tokens, 'id'));
  assert.ok(lookUps <= 2, `${lookUps} look-ups`);
});

test('beside a request to its own tenant a token is unknown to another all the same', async () => {
  const { id, token } = await newToken(tenantId, 'g@example.com');
  const own = ask(tenantId, `Bearer ${token}`);
  await assert.rejects(ask(otherTenantId, `Bearer ${token}`), UnauthenticatedError);
  assert.equal((await own).id, id);
});

test('uses are written down after a while, and again as long as Postgres does not take them', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 0 });
  const sent: Map<unknown, unknown>[] = [];
  const failing: Db = {
    ...db,
    run: async ({ values }) => {
      const [, ids, times] = values as unknown[][];
      sent.push(new Map(ids?.map((id, index) => [id, times?.[index]])));
      if (sent.length < 3) throw new Error('Postgres is away');
    },
  };
  const uses = createTokenUses(failing, log);
  const interval = constants.tokenUseInterval;
  const at = (time: number) => new Date(time).toISOString();
  for (const id of [1, 2]) uses.note({ tenantId, id });
  t.mock.timers.tick(interval);
  assert.deepEqual(sent, [new Map([1, 2].map((id) => [id, at(0)]))]);
  uses.note({ tenantId, id: 2 });
  await setImmediate();
  for (let i = 0; i < 3; i += 1) {
    t.mock.timers.tick(interval);
    await setImmediate();
  }
  const later = new Map([
    [1, at(0)],
    [2, at(interval)],
  ]);
  assert.deepEqual(sent.slice(1), [later, later]);
  await uses.stop();
  assert.equal(sent.length, 3);
});

test('the last use is written down when the authenticator stops', async () => {
  const { id, token } = await newToken(tenantId, 'f@example.com');
  const rowSchema = v.object({ last_used_at: v.nullable(v.date()) });
  const lastUse = async () => {
    const row = await db.one(sql.type(rowSchema)`
      select last_used_at from tokens where tenant_id = ${tenantId} and id = ${id}
    `);
    return row.last_used_at;
  };
  const use = async (plain: string, check: (used: Promise<unknown>) => Promise<unknown>) => {
    const own = createAuthenticator(db, log, constants);
    const headers = new Map([['authorization', `Bearer ${plain}`]]);
    await check(own.authenticate({ id: tenantId, slug: 'trattoria' }, headers, 'menu:write'));
    assert.equal(await lastUse(), null);
    await own.stop();
  };
  await use(`${id}|${'x'.repeat(40)}`, (used) => assert.rejects(used, UnauthenticatedError));
  assert.equal(await lastUse(), null, 'a client that knows only its id has not used it');
  await use(token, (used) => used);
  assert.ok(await lastUse());
});

test('without Postgres the answer is that it is away, not that the token is bad', async () => {
  const refused = Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' });
  const away: Db = { ...db, any: () => Promise.reject(refused) };
  const own = createAuthenticator(away, log, constants);
  const headers = new Map([['authorization', 'Bearer 1|abc']]);
  const asked = own.authenticate({ id: tenantId, slug: 'trattoria' }, headers, 'menu:read');
  await assert.rejects(asked, UnavailableError);
  await own.stop();
});
