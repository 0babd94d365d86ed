import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import pg from 'pg';
import { figure } from '../measure/figure.ts';
import { cpuTime } from '../measure/process-accounts.ts';
import { type Member, readMetric, startMember } from '../stage/member.ts';

const CLIENTS = 50_000;
const CONNECTIONS = 40;
const ROUNDS = 3;
/** Postgres publishes what a session did at most a second later. */
const STATISTICS_DELAY = 1_500;

/** CPU of the gateway and statements that Postgres saw under one load. */
interface Cost {
  /** Microseconds a request. */
  cpu: number;
  /** Statements a second, of all that is connected to the database. */
  statements: number;
  requests: number;
}

function addressOf(n: number): string {
  return `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
}

/** Sends `amount` requests from as many clients in turn. */
async function load(port: number, clients: number, amount: number): Promise<number> {
  let sent = 0;
  const result = await autocannon({
    url: `http://127.0.0.1:${port}`,
    connections: CONNECTIONS,
    amount,
    requests: [
      {
        path: '/api/v1/theme',
        setupRequest: (request) => {
          sent += 1;
          const address = addressOf(sent % clients);
          const headers = { Host: 'trattoria.localhost', 'X-Forwarded-For': address };
          return { ...request, headers };
        },
      },
    ],
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error('requests failed');
  return result.duration;
}

async function measure(
  gateway: Member,
  postgres: pg.Client,
  clients: number,
  amount: number,
): Promise<Cost> {
  const transactions = async () => {
    await sleep(STATISTICS_DELAY);
    const { rows } = await postgres.query(
      'select xact_commit::int from pg_stat_database where datname = current_database()',
    );
    return Number(rows[0].xact_commit);
  };
  const cpu = () => cpuTime([gateway.pid]);
  const [cpuBefore, before, start] = [cpu(), await transactions(), Date.now()];
  await load(gateway.port, clients, amount);
  const after = await transactions();
  const seconds = (Date.now() - start) / 1_000;
  return {
    cpu: (cpu() - cpuBefore) / amount,
    statements: (after - before) / seconds,
    requests: amount / seconds,
  };
}

/** The limiter's price: the same gateway with and without it, under the same loads, in turns. */
export async function cost(databaseUrl: string, amount: number): Promise<boolean> {
  // The bench is a proxy that speaks for many clients.
  const env = { TRUSTED_PROXIES: '127.0.0.1' };
  const preload = ['./bench/limits/without-limiter.ts'];
  const on = await startMember('gateway/main.ts', databaseUrl, { env });
  const off = await startMember('gateway/main.ts', databaseUrl, { env, preload });
  const postgres = new pg.Client({ connectionString: databaseUrl });
  await postgres.connect();
  try {
    for (const gateway of [on, off]) await load(gateway.port, CLIENTS, amount);
    for (const clients of [1, CLIENTS]) {
      const costs: { on: Cost[]; off: Cost[] } = { on: [], off: [] };
      for (let round = 0; round < ROUNDS; round += 1) {
        costs.off.push(await measure(off, postgres, clients, amount));
        costs.on.push(await measure(on, postgres, clients, amount));
      }
      const median = (some: Cost[], of: keyof Cost) => figure(some.map((one) => one[of])).median;
      const [without, with_] = [median(costs.off, 'cpu'), median(costs.on, 'cpu')];
      console.log(
        `${clients} clients: ${without.toFixed(1)} µs of CPU a request without the limiter, ` +
          `${with_.toFixed(1)} with it (${(with_ / without).toFixed(2)} times); Postgres saw ` +
          `${median(costs.on, 'statements').toFixed(0)} statements/s ` +
          `at ${median(costs.on, 'requests').toFixed(0)} requests/s`,
      );
    }
    console.log(
      `statements that counted, in all: ${await readMetric(on.opsPort, 'lavagna_limit_statements_total')}`,
    );
  } finally {
    await postgres.end();
    await on.stop();
    await off.stop();
  }
  return true;
}
