import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../environment.ts';
import { percentilesOf } from '../load/percentiles.ts';
import { planPrices } from '../load/planned-prices.ts';
import { connect, type Database } from '../processes/database.ts';
import { startPlanted } from '../processes/planted.ts';
import { withFolder } from '../processes/temporary-folder.ts';
import { atMost, type Figure, type Finding } from '../result.ts';
import type { Scenario } from '../scenario.ts';

/** Receivers that answer at once, and those that never answer in each part of the run. */
const GOOD = { full: 1_000, quick: 50 };
const SILENT = [0, 1, 50] as const;
/** Restaurants that change in a second, each once. */
const PER_SECOND = 40;
/** Seconds until the first change, so that the releases are written by then. */
const LEAD = 3;
/** Seconds in which those that never answer are told of a version before the others change. */
const STUCK = 2;
const BOUND_SECONDS = 120;
/** The looks for new versions are a second apart. */
const MOST_MS = 2_500;

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Two servers with receivers: one answers at once, and one never does. */
async function startReceivers() {
  let delays: number[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const { data } = JSON.parse(Buffer.concat(pieces).toString());
    delays.push(Date.now() - Date.parse(data.entries.at(-1).at));
    response.end();
  };
  const good = createServer((request, response) => {
    take(request, response).catch(() => response.destroy());
  });
  const silent = createServer(() => undefined);
  return {
    ports: { good: await listen(good), silent: await listen(silent) },
    /** The milliseconds from each version to its message since the last call. */
    take: () => {
      const taken = delays;
      delays = [];
      return taken;
    },
    count: () => delays.length,
    [Symbol.dispose]: () => {
      for (const server of [good, silent]) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

/** Gives each restaurant a receiver; the last ones have those that never answer. */
async function addReceivers(
  db: Database,
  ports: { good: number; silent: number },
  good: number,
): Promise<void> {
  await db.query(
    `insert into webhooks (tenant_id, url, events, secret, version)
     select id, 'http://127.0.0.1:' || case when place > $3 then $2::text else $1::text end,
       '{menu.version}', 'whsec_' || encode(sha256(id::text::bytea), 'base64'), version
     from (
       select id, version, row_number() over (order by id) as place
       from tenants where slug not in ('trattoria', 'pizzeria')
     ) t`,
    [ports.good, ports.silent, good],
  );
}

async function measure(
  db: Database,
  receivers: Awaited<ReturnType<typeof startReceivers>>,
  { good, silent, price }: { good: number; silent: number; price: number },
): Promise<Figure[]> {
  const plan = { price, lead: LEAD, perSecond: PER_SECOND };
  if (silent > 0) {
    await planPrices(db, { ...plan, first: good, count: silent });
    await sleep((LEAD + STUCK) * 1_000);
  }
  await planPrices(db, { ...plan, count: good });
  const until = performance.now() + BOUND_SECONDS * 1_000;
  while (receivers.count() < good) {
    if (performance.now() > until) throw new Error('some messages did not come');
    await sleep(100);
  }
  const { p50, p99, max } = percentilesOf(receivers.take());
  const name = `${good} that answer, ${silent} that never do`;
  return [
    { name: `${name}: p50`, unit: 'ms', median: p50 },
    { name: `${name}: p99`, unit: 'ms', median: p99 },
    { name: `${name}: longest`, unit: 'ms', median: max },
  ];
}

async function run({ size, progress }: Environment, dataDir: string): Promise<Finding[]> {
  const good = size.isThorough ? GOOD.full : GOOD.quick;
  const most = Math.max(...SILENT);
  const env = { WEBHOOKS_PRIVATE: '1' };
  await using planted = await startPlanted(dataDir, good + most, progress, env);
  using receivers = await startReceivers();
  await using db = await connect(planted.lavagna.databaseUrl);
  await addReceivers(db, receivers.ports, good);
  const figures: Figure[] = [];
  for (const [at, silent] of SILENT.entries()) {
    progress(`${good} receivers beside ${silent} that never answer`);
    figures.push(...(await measure(db, receivers, { good, silent, price: 50 + at })));
  }
  const worst = Math.max(
    ...figures.flatMap(({ name, median }) => (/p99$/.test(name) ? median : [])),
  );
  return [
    {
      title: 'Webhooks: receivers that never answer beside others',
      note: `Milliseconds from a version to its message; ${PER_SECOND} restaurants change in a second.`,
      figures,
      goals: [atMost('p99 of those that answer, in ms', worst, MOST_MS)],
    },
  ];
}

/** Messages to receivers, a thousand that answer beside some that never do. */
export const webhooks: Scenario = {
  name: 'webhooks',
  run: (environment) => withFolder('webhooks', (dataDir) => run(environment, dataDir)),
};
