// `DATABASE_URL=… node --import tsx bench/writes.ts [scenario …]`: writes through the admin API,
// measured over HTTP against processes of their own. The database must be empty.
import { scenarios } from './writes/scenarios.ts';
import { startStage } from './writes/stage.ts';

const RESTAURANTS = 20;

const databaseUrl = process.env.DATABASE_URL;
const names = process.argv.slice(2);
const unknown = names.filter((name) => !(name in scenarios));
if (!databaseUrl || unknown.length > 0) {
  console.error(
    'usage: DATABASE_URL=<an empty database> node --import tsx bench/writes.ts [name …]',
  );
  console.error(`names: ${Object.keys(scenarios).join(', ')}`);
  process.exit(1);
}

const stage = await startStage(databaseUrl, RESTAURANTS);
const interrupt = () => void stage.stop().then(() => process.exit(1));
process.once('SIGINT', interrupt);
process.once('SIGTERM', interrupt);
try {
  for (const [name, run] of Object.entries(scenarios)) {
    if (names.length === 0 || names.includes(name)) console.log((await run(stage)).join('\n'));
  }
} finally {
  await stage.stop();
}
