// What analytics promises, shown: `node --import tsx bench/analytics.ts <scenario>` against the
// empty database of DATABASE_URL. Scenarios: speed, reports [events].
import { reports } from './analytics/reports.ts';
import { speed } from './analytics/speed.ts';
import { withStage } from './analytics/stage.ts';
import { runNamed } from './run-named.ts';

await runNamed({
  speed: (databaseUrl) => withStage(databaseUrl, speed),
  reports: (databaseUrl, events = 10_000_000) =>
    withStage(databaseUrl, (stage) => reports(stage, events)),
});
