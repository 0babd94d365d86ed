import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../environment.ts';
import { addressOf, TRUSTED } from '../load/addresses.ts';
import type { LoadRequest } from '../load/job.ts';
import { measureLoad } from '../measure/comparison.ts';
import { connect } from '../processes/database.ts';
import { startGateway } from '../processes/lavagna.ts';
import { residentMb } from '../processes/usage.ts';
import { atMost, type Figure, type Finding, type Goal } from '../result.ts';
import type { Scenario } from '../scenario.ts';

/** Less than the menus take, so that the memory of a gateway with a full cache is seen. */
const CACHE_MB = 128;
/** Menus that are read plain: each takes five times the memory of one at rest. */
const MAX_PLAIN = 2_000;
const CONNECTIONS = 10;
/** ms of CPU for a first read: 10,000 menus in 6 s of a core after a restart. */
const GOAL = 0.6;
/** MiB that a gateway takes beside SNAPSHOT_CACHE_MB. */
const MEMORY_GOAL = 150;
const PAUSE_MS = 1_000;

/** Waits until the workers have put these menus to rest: a minute, and more where there are many. */
async function untilCold({ lavagna }: Environment, slugs: readonly string[]): Promise<void> {
  await using db = await connect(lavagna.databaseUrl);
  const isAwake = `select from tenants t join snapshots n on n.tenant_id = t.id
    left join rested_menus r on r.tenant_id = t.id and r.version = n.version
    where t.slug = any ($1) and r.br is null`;
  while ((await db.query(isAwake, [slugs])).rowCount) await sleep(PAUSE_MS);
}

interface FirstReads {
  figures: Figure[];
  /** µs of CPU a read. */
  cpu: number;
  /** MiB of memory, with the cache full, beside what the operator gave the cache. */
  beside: number;
}

/** Reads each menu once by a gateway that has just started. */
async function readFirst(
  { lavagna, load, host }: Environment,
  slugs: readonly string[],
  encoding: Record<string, string>,
): Promise<FirstReads> {
  await using gateway = await startGateway('gateway', lavagna.databaseUrl, {
    env: { ...TRUSTED, SNAPSHOT_CACHE_MB: String(CACHE_MB) },
  });
  // One address may ask for a few hundred menus that lie in no memory.
  const requests = slugs.map((slug, at): LoadRequest => {
    const headers = { Host: host(slug), 'X-Forwarded-For': addressOf(at), ...encoding };
    return { path: '/api/v1/menu', headers };
  });
  const measured = await measureLoad(load, gateway, {
    kind: 'requests',
    port: gateway.port,
    connections: CONNECTIONS,
    requests,
    expectedStatus: 200,
  });
  const beside = residentMb(gateway.pid) - CACHE_MB;
  const held = await gateway.metric('lavagna_snapshots');
  const bytes = await gateway.metric('lavagna_snapshot_cache_bytes');
  const cpu = measured.cpu / measured.requests;
  const figures = [
    { name: 'p50', unit: 'ms', median: measured.p50 },
    { name: 'p99', unit: 'ms', median: measured.p99 },
    { name: 'CPU of the gateway', unit: 'µs/request', median: cpu },
    { name: 'snapshots held', unit: '', median: held },
    { name: 'counted by the cache', unit: 'KB/snapshot', median: bytes / held / 1_000 },
    { name: 'resident memory beside SNAPSHOT_CACHE_MB', unit: 'MiB', median: beside },
  ];
  return { figures, cpu, beside };
}

/** Time, CPU and memory of the first read of each menu by a gateway that has just started. */
export const cold: Scenario = {
  name: 'cold',
  run: async (environment) => {
    const slugs = environment.slugs.slice(2);
    const note = `${CONNECTIONS} connections, SNAPSHOT_CACHE_MB ${CACHE_MB}.`;
    const tableOf = (
      title: string,
      { figures, beside }: FirstReads,
    ): Finding & { goals: Goal[] } => {
      const goal = atMost('MiB of a gateway beside SNAPSHOT_CACHE_MB', beside, MEMORY_GOAL);
      return { title, note, figures, goals: [goal] };
    };
    environment.progress('waiting until the menus are at rest');
    await untilCold(environment, slugs);
    const few = slugs.slice(0, MAX_PLAIN);
    const plain = await readFirst(environment, few, {});
    const compressed = await readFirst(environment, slugs, { 'Accept-Encoding': 'br' });
    const titleOf = (read: readonly string[], form: string) =>
      `First reads: ${read.length} menus at rest, each read once, ${form}`;
    const table = tableOf(titleOf(slugs, 'br'), compressed);
    table.goals.push(
      atMost('ms of CPU for the first read of a menu', compressed.cpu / 1_000, GOAL),
    );
    return [tableOf(titleOf(few, 'plain'), plain), table];
  },
};
