// The command doctor: rights that were revoked, small pools of poolers, and proxies that are not known.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { freePort } from '../../../bench/processes/free-port.ts';
import { examine } from '../../../db/operator/doctor/examine.ts';
import { checkPool } from '../../../db/operator/doctor/proxy-checks.ts';
import { createTestDatabase } from '../../support/database.ts';
import { createPooler } from '../../support/pooler.ts';

const database = await createTestDatabase();
after(() => database.drop());

async function doctor(more: Record<string, string> = {}) {
  const ports = { PORT: String(await freePort()), OPS_PORT: String(await freePort()) };
  const checks = await examine({ DATABASE_URL: database.url, ...ports, ...more }, []);
  return (name: string) => checks.find((check) => check.name === name);
}

test('a right that was revoked is bad, and named', async (t) => {
  const others = await createTestDatabase();
  const url = new URL(others.url);
  [url.username, url.password] = ['lavagna_owner', 'padrona'];
  await others.sql(
    `create role lavagna_owner login password 'padrona'; grant lavagna_owner to current_user`,
  );
  t.after(async () => {
    await others.sql('reassign owned by lavagna_owner to current_user');
    await others.sql('drop owned by lavagna_owner');
    await others.sql('drop role lavagna_owner');
    await others.drop();
  });
  await others.sql(`grant all on schema public, pgboss to lavagna_owner;
    do $$ declare t record; begin
      for t in select c.oid::regclass as name from pg_class c
        where relnamespace in ('public'::regnamespace, 'pgboss'::regnamespace)
          and relkind in ('r', 'p') loop
        execute format('alter table %s owner to lavagna_owner', t.name);
      end loop;
    end $$;
    revoke update, delete on dishes from lavagna_owner`);
  const of = await doctor({ DATABASE_URL: url.href });
  assert.deepEqual([of('owner')?.state, of('rights')?.state], ['good', 'bad']);
  assert.equal(of('rights')?.found, 'The role lacks update, delete on public.dishes.');
});

test('a pooler that lets one transaction go on at a time is bad, and a small one doubtful', async (t) => {
  for (const [most, state] of Object.entries({ 1: 'bad', 3: 'doubtful', 20: 'good' })) {
    const pooler = await createPooler(database.url, Number(most));
    t.after(() => pooler.stop());
    const check = await checkPool(pooler.url);
    assert.equal(check.state, state, check.found);
  }
});

test('clients that are all proxies, and ranges of strangers, are doubtful', async (t) => {
  t.after(() => database.sql('delete from limit_windows'));
  const afterRequests = async (clients: string[], more: Record<string, string> = {}) => {
    await database.sql('delete from limit_windows');
    await database.sql`insert into limit_windows
      select 1, 'public', c::inet, now() + interval '30 s', 5 from unnest(${clients}::text[]) as c`;
    return (await doctor({ DOMAIN: 'menu.example.com', ...more }))('proxies');
  };
  const untold = await afterRequests(['172.18.0.3']);
  assert.equal(untold?.state, 'doubtful');
  assert.match(
    untold?.found ?? '',
    /is empty; all requests of late come from .*: 172\.18\.0\.3\.$/,
  );
  const wrong = await afterRequests(['172.18.0.3'], { TRUSTED_PROXIES: '172.17.0.0/16' });
  assert.match(wrong?.found ?? '', /^It trusts 172\.17\.0\.0\/16; all requests/);
  const silent = await afterRequests(['172.18.0.3'], { TRUSTED_PROXIES: '172.18.0.0/16' });
  assert.match(silent?.advice ?? '', /X-Forwarded-For/);
  assert.equal((await afterRequests(['172.18.0.3', '203.0.113.7']))?.state, 'doubtful');
  assert.equal((await afterRequests(['172.18.0.3', '8.8.8.8']))?.state, 'good');
  const wide = await afterRequests([], { TRUSTED_PROXIES: '8.0.0.0/7' });
  assert.match(wide?.found ?? '', /trusts 8\.0\.0\.0\/7/);
  assert.equal((await afterRequests(['10.0.0.1'], { DOMAIN: 'localhost' }))?.state, 'good');
});

test('a sequence that has given most of its ids is told before it ends', async (t) => {
  const name = 'public.dishes_id_seq';
  t.after(() => database.sql(`alter sequence ${name} restart with 1`));
  for (const [last, state] of [
    [1_000, 'good'],
    [1_500_000_000, 'doubtful'],
    [2_100_000_000, 'bad'],
  ] as const) {
    await database.sql('select setval($1::regclass, $2)', [name, last]);
    const check = (await doctor())('ids');
    assert.equal(check?.state, state, check?.found);
  }
});
