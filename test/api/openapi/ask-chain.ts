import { followMaster, leaveMaster } from '../../../db/actions/chains.ts';
import { createRestaurant } from '../../../db/actions/restaurants.ts';
import type { Database } from '../../../db/postgres/connection.ts';
import { statementsOf } from '../../support/sql.ts';
import type { Calls } from './ask-versions.ts';

const ASYNC = { Prefer: 'respond-async' };
const STALE = { 'If-Match': '"x"' };
const TABLES = {
  ...{ categories: 'sections', items: 'dishes', types: 'types', wineries: 'wineries' },
  ...{ modifier_groups: 'modifier_groups', photos: 'photos' },
};
const input = { match: 'external_id', dry_run: false } as const;

/** Asks as the master of a chain, and then as a branch of another one with the same records. */
export async function askChain(
  { call, result }: Calls,
  { db, databaseUrl }: { db: Database; databaseUrl: string },
): Promise<void> {
  const sql = statementsOf(databaseUrl);
  const ours = 'osteria';
  const [photo] = (await call('GET', '/admin/photos')).json.data;
  (await call('PATCH', '/admin/items/1', { photo_id: photo.id })).expect(200);
  const id = await createRestaurant(db, { slug: 'filiale', name: 'Filiale', locale: 'it' });
  await followMaster(db, 'filiale', { ...input, master: ours });
  const [publish, policy] = ['/admin/chain/publish', '/admin/chain/policy'];
  (await call('POST', publish, {}, ASYNC)).expect(202);
  (await call('POST', publish, { shoes: 43 })).expect(200);
  (await call('POST', publish, { branches: ['x'] })).expect(422);
  (await call('GET', publish)).expect(200);
  (await call('PUT', policy, { fields: { items: { price: { bounded: 10 } } } })).expect(200);
  (await call('PUT', policy, { fields: { items: { is_active: 'locked' } } })).expect(422);
  for (const path of [policy, '/admin/chain', '/admin/chain/deviations']) {
    (await call('GET', path)).expect(200);
  }
  (await call('GET', '/admin/chain/deviations?format=csv')).expect(200);
  (await call('GET', '/admin/chain/deviations?format=x')).expect(422);
  // A write without a job waits.
  await sql(
    `insert into writes (tenant_id, id, token_id, resource, action, input, request_hash)
     select tenant_id, gen_random_uuid(), 0, 'menu', 'publish', input, request_hash
     from writes where tenant_id = $1 and action = 'publish' limit 1`,
    [id],
  );
  (await call('GET', publish)).expect(202);
  await leaveMaster(db, 'filiale');
  await followMaster(db, ours, { ...input, master: 'filiale' });
  await sql("delete from chain_follows where resource not in ('settings', 'theme')");
  const paths: string[] = [];
  for (const [resource, table] of Object.entries(TABLES)) {
    const [row] = await sql(
      `insert into chain_follows (tenant_id, resource, id, master_id)
       select b.tenant_id, $1, min(o.id), min(m.id) from chain_branches b
       join ${table} o on o.tenant_id = b.tenant_id and o.deleted_at is null
       join ${table} m on m.tenant_id = b.master_id and m.deleted_at is null
       group by b.tenant_id returning id`,
      [resource],
    );
    paths.push(`/${resource.replace('_', '-')}/${row.id}`);
  }
  for (const path of [...paths, '/settings', '/theme']) {
    const follow = `/admin${path}/follow`;
    (await call('POST', follow, { fields: [] })).expect(200);
    await result((await call('POST', follow, {}, ASYNC)).expect(202));
    (await call('POST', follow, {}, STALE)).expect(412);
    (await call('POST', follow, { fields: ['shoes'] })).expect(422);
  }
  await leaveMaster(db, ours);
}
