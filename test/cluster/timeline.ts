import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { runSql } from '../support/sql.ts';
import type { Cluster } from './cluster.ts';

/** The steps from a way to a primary to the first write: each with its ms after the way. */
interface Timeline {
  stop(): Promise<[step: string, ms: number][]>;
}

const POLL_MS = 100;
const CHECK_MS = 3_000;

/** Whether a statement returns a row on a new connection. */
async function isTrue(connectionString: string, text: string): Promise<boolean> {
  const timeouts = { connectionTimeoutMillis: CHECK_MS, query_timeout: CHECK_MS };
  const client = new pg.Client({ connectionString, ...timeouts });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query(text)).rowCount === 1;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

const TAKES_WRITES = 'select where not pg_is_in_recovery()';
/** The commit waits for the standby. */
const COMMITS = `select pg_logical_emit_message(true, 'drill', '')`;

/** Follows what comes back after a drill, from now on. */
export function startTimeline({ poolUrl, sessionUrl, adminUrl }: Cluster): Timeline {
  const begun = performance.now();
  const begunAt = new Date();
  const steps: [string, number][] = [];
  let stopped = false;
  const follow = async (step: string, url: string, text: string) => {
    while (!stopped && !(await isTrue(url, text))) await sleep(POLL_MS);
    if (!stopped) steps.push([step, performance.now() - begun]);
  };
  const followed = Promise.all([
    follow('a session through HAProxy', sessionUrl, TAKES_WRITES),
    follow('a statement through PgBouncer', poolUrl, TAKES_WRITES),
    follow('a commit', adminUrl, COMMITS),
  ]);
  return {
    stop: async () => {
      stopped = true;
      await followed;
      const [row] = await runSql(
        sessionUrl,
        `select (select min(created_at) from writes where created_at > $1) as taken,
           (select min(finished_at) from writes where finished_at > $1) as done`,
        [begunAt],
      );
      const after = (at: Date | null): number =>
        (at ? at.getTime() : Number.NaN) - begunAt.getTime();
      steps.push(['the first row of a write', after(row?.taken)]);
      steps.push(['the first turn of a worker', after(row?.done)]);
      return steps;
    },
  };
}
