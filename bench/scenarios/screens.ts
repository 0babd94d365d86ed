import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { screenSecret } from '../load/screen-cookie.ts';
import { startStreamFollowers } from '../load/stream-followers.ts';
import { connect } from '../processes/database.ts';
import { startGateway } from '../processes/lavagna.ts';
import { postmasterPid } from '../processes/postgres.ts';
import { tapPostgres } from '../processes/postgres-tap.ts';
import { cpuTime, treeCpuTime } from '../processes/usage.ts';
import { atMost, type Figure } from '../result.ts';
import type { Scenario } from '../scenario.ts';

/** A restaurant has at most so many screens. */
const PER_RESTAURANT = 100;
const MINUTE_MS = 60_000;
/** Contacts are written within so many ms. */
const WRITTEN_MS = 20_000;

/** Gives each screen its place, as pairing does. */
async function placeScreens(url: string, slugs: readonly string[], count: number): Promise<void> {
  await using db = await connect(url);
  const hashes = Array.from({ length: count }, (_, index) =>
    createHash('sha256').update(screenSecret(index)).digest(),
  );
  await db.query(
    `insert into screens (tenant_id, name, hash, last_seen_at)
     select t.id, 'Screen ' || h.n, h.hash, now() - interval '1 hour'
     from unnest($2::bytea[]) with ordinality h (hash, n)
     join tenants t on t.slug = ($1::text[])[1 + (h.n - 1) % cardinality($1::text[])]
     on conflict (tenant_id, hash) do update set last_seen_at = excluded.last_seen_at`,
    [slugs, hashes],
  );
}

/** How many screens have been heard of since `moment`, as soon as all have, or after a while. */
async function countSeen(url: string, moment: Date, all: number): Promise<number> {
  await using db = await connect(url);
  const text = 'select count(*)::int as n from screens where last_seen_at >= $1 and is_here';
  const count = async (): Promise<number> => (await db.query(text, [moment])).rows[0].n;
  const bound = performance.now() + WRITTEN_MS;
  while ((await count()) < all && performance.now() < bound) await sleep(500);
  return await count();
}

/**
 * Screens on many restaurants that follow the menu: the statements and the CPU of their contacts while
 * they come, and while they hang there. A stream ends and is opened again after five to ten minutes:
 * so what a day costs is the cost of an opening, and of a minute in which no stream ends.
 */
export const screens: Scenario = {
  name: 'screens',
  run: async ({ lavagna, size, slugs, host, progress }) => {
    const count = size.followers;
    const used = slugs.slice(0, Math.ceil(count / PER_RESTAURANT));
    await placeScreens(lavagna.databaseUrl, used, count);
    let statements = 0;
    await using tap = await tapPostgres(lavagna.databaseUrl, (type) => {
      if (type === 'E' || type === 'Q') statements += 1;
    });
    await using gateway = await startGateway('gateway', tap.url);
    await using followers = await startStreamFollowers();
    const postgres = postmasterPid(lavagna.pid);
    const figures: Figure[] = [];
    const cpu = () => [cpuTime(gateway.pids), postgres ? treeCpuTime(postgres) : 0] as const;
    const measure = async (name: string, work: () => Promise<unknown>) => {
      progress(name);
      const [begun, before, counted] = [performance.now(), cpu(), statements];
      await work();
      const minutes = (performance.now() - begun) / MINUTE_MS;
      const all = statements - counted;
      const perMinute = all / minutes;
      const after = cpu();
      figures.push({ name: `${name}: statements`, unit: '/min', median: perMinute });
      for (const [index, who] of ['the gateway', 'Postgres'].entries()) {
        const spent = ((after[index] ?? 0) - (before[index] ?? 0)) / 1_000 / minutes;
        figures.push({ name: `${name}: CPU of ${who}`, unit: 'ms/min', median: spent });
      }
      return { all, minutes, perMinute };
    };
    const idle = await measure('without screens', () =>
      sleep(size.pollSeconds * size.polls * 1_000),
    );
    const opened = new Date();
    const opening = await measure('opening their streams', async () => {
      const { refused } = await followers.openScreens(count, gateway.port, used.map(host));
      const median = refused[503] ?? 0;
      figures.push({ name: 'streams that were answered 503 at first', unit: '', median });
    });
    const hanging = await measure('following', () => sleep(size.followSeconds * 1_000));
    const written = await countSeen(lavagna.databaseUrl, opened, count);
    figures.push({ name: 'screens that are here by their rows', unit: '', median: written });
    if (written !== count) throw new Error(`${written} of ${count} screens were written`);
    const title = `${count.toLocaleString('en-GB')} screens on ${used.length} restaurants`;
    const further = opening.all - idle.perMinute * opening.minutes;
    const goals = [
      atMost(`${title}: statements for each opening`, further / count, 1),
      atMost(
        `${title}: further statements a minute, none opening`,
        hanging.perMinute - idle.perMinute,
        count / 100,
      ),
    ];
    return [{ title, figures, goals }];
  },
};
