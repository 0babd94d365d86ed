// What the limits promise, shown: `node --import tsx bench/limits.ts <scenario>` on the database of
// DATABASE_URL, which gets the demo restaurants. Scenarios:
//   windows [n]     four gateways on one port, each kind of client beyond its limit for n windows
//   cost [requests] CPU a request with the limiter on and off, and statements that Postgres saw
import { cost } from './limits/cost.ts';
import { windows } from './limits/windows.ts';
import { runNamed } from './run-named.ts';
import { runCli } from './stage/cli.ts';

async function plantDemo(databaseUrl: string): Promise<void> {
  const env = { DATABASE_URL: databaseUrl };
  await runCli(env, 'migrate');
  await runCli(env, 'demo');
}

await runNamed({
  windows: async (databaseUrl, count = 5) => {
    await plantDemo(databaseUrl);
    return windows(databaseUrl, count);
  },
  cost: async (databaseUrl, requests = 100_000) => {
    await plantDemo(databaseUrl);
    return cost(databaseUrl, requests);
  },
});
