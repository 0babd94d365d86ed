import type pg from 'pg';

/** The traces of an ordinary day of each restaurant; none of them is over. */
const TRACES = [
  `insert into users (tenant_id, email, password_hash)
   select id, 'owner@example.com', '' from tenants on conflict do nothing`,
  `insert into sessions (tenant_id, hash, user_id, created_at, used_at)
   select tenant_id, sha256('session'), id, now(), now() from users
   where email = 'owner@example.com' on conflict do nothing`,
  // That of a kitchen lives on after a day without a use.
  `insert into sessions (tenant_id, hash, user_id, created_at, used_at, is_long)
   select tenant_id, sha256('kitchen'), id, now() - interval '20 days', now() - interval '10 days', true
   from users where email = 'owner@example.com' on conflict do nothing`,
  `insert into sign_in_attempts (tenant_id, kind, key, count, started_at)
   select id, 'account', sha256('owner'), 1, now() from tenants on conflict do nothing`,
  `insert into analytics_salts (tenant_id, day, salt)
   select id, day, '' from tenants, unnest(array[current_date, current_date - 1]) as day
   on conflict do nothing`,
  `insert into event_budgets (tenant_id, day, granted)
   select id, day, 1 from tenants, unnest(array[current_date, current_date - 1]) as day
   on conflict do nothing`,
  `insert into analytics_empty_searches (tenant_id, day, query, searches)
   select id, current_date, 'sushi', 1 from tenants on conflict do nothing`,
  `insert into writes (tenant_id, id, token_id, resource, action, input, request_hash, outcome,
     finished_at)
   select id, gen_random_uuid(), 1, 'theme', 'change', '{}', '', '{"kind": "unchanged"}', now()
   from tenants`,
  `insert into wineries (tenant_id, name, deleted_at, deletion)
   select id, 'gone', now(), gen_random_uuid() from tenants`,
  `update dishes set sold_out_until = now() + interval '1 day'
   where (tenant_id, id) in (select tenant_id, min(id) from dishes group by tenant_id)`,
];

/** Plants the traces, and counts the rows for the planner of Postgres. */
export async function plantTraces(db: pg.Client): Promise<void> {
  for (const statement of TRACES) await db.query(statement);
  await db.query('vacuum analyze');
}
