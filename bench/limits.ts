// What the limits promise, shown: `node --import tsx bench/limits.ts <scenario>` on the database of
// DATABASE_URL, which gets the demo restaurants. Scenarios:
//   windows [n]     four gateways on one port, each kind of client beyond its limit for n windows
//   cost [requests] CPU a request with the limiter on and off, and statements that Postgres saw
import { cost } from './limits/cost.ts';
import { plantDemo } from './limits/gateway-process.ts';
import { windows } from './limits/windows.ts';

const [scenario = '', amount] = process.argv.slice(2);
const scenarios: Record<string, (databaseUrl: string) => Promise<boolean>> = {
  windows: (databaseUrl) => windows(databaseUrl, Number(amount ?? 5)),
  cost: (databaseUrl) => cost(databaseUrl, Number(amount ?? 100_000)),
};
const run = scenarios[scenario];
const databaseUrl = process.env.DATABASE_URL;
if (!run || databaseUrl === undefined) {
  console.error(`Set DATABASE_URL and name one of: ${Object.keys(scenarios).join(', ')}.`);
  process.exitCode = 2;
} else {
  await plantDemo(databaseUrl);
  if (!(await run(databaseUrl))) process.exitCode = 1;
}
