import { runCli } from './cli.ts';
import { connect } from './database.ts';
import { type Lavagna, startLavagna } from './lavagna.ts';
import { type Running, running } from './running.ts';

/** A Lavagna of its own, with so many restaurants as a scenario asks for. */
export interface Planted extends Running {
  dataDir: string;
  lavagna: Lavagna;
  /** In the order of their ids, without the demo's two. */
  slugs: string[];
  /** Seconds. */
  plantedIn: number;
}

/**
 * Does at once what autovacuum would do in the minutes after so many new rows: meanwhile, an idle
 * Postgres takes ten times as much CPU. Notes that all menus are at rest, without compressed answers:
 * a worker would make those for an hour where 100,000 menus are new, which happens in no installation.
 */
async function settle(databaseUrl: string): Promise<void> {
  await using db = await connect(databaseUrl);
  await db.query(
    `insert into rested_menus (tenant_id, version) select tenant_id, version from snapshots
     on conflict (tenant_id) do nothing`,
  );
  await db.query('vacuum (analyze)');
}

/** Plants restaurants in an empty folder and starts Lavagna there. */
export async function startPlanted(
  dataDir: string,
  tenants: number,
  progress: (line: string) => void,
  environment: Record<string, string> = {},
): Promise<Planted> {
  const env = { DATA_DIR: dataDir };
  progress(`planting ${tenants} restaurants`);
  const startedAt = performance.now();
  await runCli(env, 'demo', '--tenants', String(tenants));
  const plantedIn = (performance.now() - startedAt) / 1_000;
  const lavagna = await startLavagna(dataDir, environment);
  progress('settling what was planted');
  await settle(lavagna.databaseUrl);
  const listed = await runCli<{ slug: string }[]>(env, 'tenant', 'list');
  const slugs = listed.map(({ slug }) => slug).slice(2);
  return running({ dataDir, lavagna, slugs, plantedIn, stop: lavagna.stop });
}
