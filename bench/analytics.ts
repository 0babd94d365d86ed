// What analytics promises, shown: `node --import tsx bench/analytics.ts <scenario>` against the
// empty database of DATABASE_URL. Scenarios: exactness [events] [seed], speed, reports [events].
import { exactness } from './analytics/exactness.ts';
import { reports } from './analytics/reports.ts';
import { speed } from './analytics/speed.ts';
import { withStage } from './analytics/stage.ts';
import { runNamed } from './run-named.ts';

await runNamed({
  exactness: (databaseUrl, events = 200_000, seed = Date.now() % 1_000_000) =>
    withStage(databaseUrl, (stage) => exactness(stage, events, seed)),
  speed: (databaseUrl) => withStage(databaseUrl, speed),
  reports: (databaseUrl, events = 10_000_000) =>
    withStage(databaseUrl, (stage) => reports(stage, events)),
});
