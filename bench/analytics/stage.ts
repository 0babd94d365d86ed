import pg from 'pg';
import { issueToken, runCli } from '../processes/cli.ts';
import { type Member, startMember } from '../processes/service-process.ts';

const SLUG = 'trattoria';

/** A database with the demo restaurant in it, and the means to run Lavagna against it. */
export interface Stage {
  db: pg.Pool;
  host: string;
  token: string;
  tenantId: number;
  items: number[];
  sections: number[];
  startGateway(port?: number): Promise<Member>;
  startWorker(): Promise<Member>;
  /** Jobs of events that are still to be done. */
  backlog(): Promise<number>;
}

async function prepare(databaseUrl: string, db: pg.Pool): Promise<Stage> {
  const env = { DATABASE_URL: databaseUrl };
  await runCli(env, 'migrate');
  await runCli(env, 'demo');
  const ids = async (table: string, column = 'id') => {
    const text = `select ${column} as id from ${table}
      where tenant_id = (select id from tenants where slug = $1) order by 1`;
    return (await db.query<{ id: number }>(text, [SLUG])).rows.map(({ id }) => id);
  };
  return {
    db,
    host: `${SLUG}.localhost`,
    token: await issueToken(env, SLUG, 'analytics:read'),
    tenantId: (await ids('settings', 'tenant_id'))[0] as number,
    items: await ids('dishes'),
    sections: await ids('sections'),
    startGateway: (port) => startMember('gateway/main.ts', databaseUrl, { port }),
    startWorker: () => startMember('workers/main.ts', databaseUrl),
    backlog: async () => {
      const { rows } = await db.query(
        `select count(*)::int as left from pgboss.job
         where name = 'analytics-events' and state < 'completed'`,
      );
      return rows[0].left;
    },
  };
}

/** Prepares an empty database and runs `work` with it. */
export async function withStage<T>(databaseUrl: string, work: (stage: Stage) => Promise<T>) {
  const db = new pg.Pool({ connectionString: databaseUrl, max: 3 });
  try {
    return await work(await prepare(databaseUrl, db));
  } finally {
    await db.end();
  }
}
