// What analytics promises, shown: `node --import tsx bench/analytics.ts <scenario>` against the
// empty database of DATABASE_URL. Scenarios: exactness [events] [seed], speed, reports [events].
import { exactness } from './analytics/exactness.ts';
import { reports } from './analytics/reports.ts';
import { speed } from './analytics/speed.ts';
import { startStage } from './analytics/stage.ts';

const [scenario = '', first, second] = process.argv.slice(2);
const scenarios: Record<
  string,
  (stage: Awaited<ReturnType<typeof startStage>>) => Promise<boolean>
> = {
  exactness: (stage) =>
    exactness(stage, Number(first ?? 200_000), Number(second ?? Date.now() % 1_000_000)),
  speed: (stage) => speed(stage),
  reports: (stage) => reports(stage, Number(first ?? 10_000_000)),
};
const run = scenarios[scenario];
const databaseUrl = process.env.DATABASE_URL;
if (!run || databaseUrl === undefined) {
  console.error(`Set DATABASE_URL and name one of: ${Object.keys(scenarios).join(', ')}.`);
  process.exitCode = 2;
} else {
  const stage = await startStage(databaseUrl);
  try {
    if (!(await run(stage))) process.exitCode = 1;
  } finally {
    await stage.stop();
  }
}
