import { issueToken } from '../processes/cli.ts';
import { connect, type Database } from '../processes/database.ts';
import { type Lavagna, startLavagna } from '../processes/lavagna.ts';
import { withFolder } from '../processes/temporary-folder.ts';

/** A gateway without a worker that serves the demo restaurant, and its empty analytics. */
export interface DemoAnalytics {
  lavagna: Lavagna;
  db: Database;
  slug: string;
  token: string;
  tenantId: number;
  items: number[];
  sections: number[];
}

const SLUG = 'trattoria';

/** Runs `work` with a Lavagna of its own, then stops and removes it. */
export function withDemoAnalytics<T>(work: (demo: DemoAnalytics) => Promise<T>): Promise<T> {
  return withFolder('analytics', async (dataDir) => {
    await using lavagna = await startLavagna(dataDir, { FORMATION: 'gateway=1,worker=0' });
    await using db = await connect(lavagna.databaseUrl);
    // The demo comes with a month of statistics.
    await db.query('truncate analytics_events, analytics_counts, analytics_empty_searches');
    const [tenant] = (await db.query('select id from tenants where slug = $1', [SLUG])).rows;
    const idsOf = async (table: string): Promise<number[]> => {
      const text = `select id from ${table} where tenant_id = $1 order by id`;
      return (await db.query(text, [tenant.id])).rows.map(({ id }) => id);
    };
    return await work({
      ...{ lavagna, db, slug: SLUG, tenantId: tenant.id },
      token: await issueToken({ DATA_DIR: dataDir }, SLUG, 'analytics:read'),
      items: await idsOf('dishes'),
      sections: await idsOf('sections'),
    });
  });
}
