import type { ChangeReport } from './changes.ts';
import type { OutageReport } from './outage.ts';
import type { ReadReport } from './reads.ts';
import type { RollingReport } from './rolling.ts';

const ms = (value: number) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
const list = (counts: Record<number, number>) =>
  Object.entries(counts)
    .map(([status, count]) => `${count} × ${status}`)
    .join(', ') || 'none';

function readLines(reads: ReadReport): string[] {
  const { sent, lost, refused, repeated, longestGap, p50, p99, slowest, firstFailure } = reads;
  return [
    `reads: ${sent} sent, ${lost} lost, refused: ${list(refused)}`,
    `  ${repeated} repeated after an idle connection was closed; longest gap ${ms(longestGap)}`,
    `  p50 ${ms(p50)}, p99 ${ms(p99)}, slowest ${ms(slowest)}`,
    ...(firstFailure === '' ? [] : [`  first failure: ${firstFailure}`]),
  ];
}

function changeLines(what: string, changes: ChangeReport, outcome: string): string[] {
  const { sent, promised, unanswered, refused, broken, strange } = changes;
  return [
    `${what}: ${sent} sent, ${promised.length} promised, ${outcome}`,
    `  refused: ${list(refused)}; ${broken} broken and repeated; ${unanswered.length} given up`,
    `  slowest promise ${ms(changes.slowest)}, slowest refusal ${ms(changes.slowestRefusal)}`,
    ...strange.slice(0, 3).map((text) => `  strange: ${text}`),
  ];
}

/** Whether everything that was promised came true. */
function isKept({ kept, writes, events, counted }: RollingReport | OutageReport): boolean {
  return (
    kept.missing === 0 &&
    kept.doubled === 0 &&
    counted === events.promised.length &&
    writes.unanswered.length === 0 &&
    events.unanswered.length === 0
  );
}

function lines(report: RollingReport | OutageReport): string[] {
  const { reads, writes, kept, events, counted } = report;
  const outcome = `${kept.missing} missing, ${kept.doubled} doubled`;
  return [
    ...readLines(reads),
    ...changeLines('writes', writes, outcome),
    ...changeLines('events', events, `${counted} counted`),
  ];
}

const isClean = ({ lost, refused }: ReadReport) => lost === 0 && Object.keys(refused).length === 0;

/** Prints the report and says whether nothing was lost. */
export function printRolling(report: RollingReport): boolean {
  const ends = report.ends.map(ms).join(', ');
  console.log([...lines(report), `processes ended within ${ends}`].join('\n'));
  return isKept(report) && isClean(report.reads);
}

/** A line of the log without what every line has. */
function told(line: string): string {
  const { level: _1, time: _2, pid: _3, hostname: _4, ...own } = JSON.parse(line);
  const { name, msg, outage, err, ...rest } = own;
  return `  ${name}: ${msg} ${JSON.stringify({ ...rest, cause: outage?.message ?? err?.message })}`;
}

/** Prints the report and says whether nothing was lost. */
export function printOutage(report: OutageReport): boolean {
  const { mishap, away, cold, writesBack, eventsBack, log } = report;
  const head = `Postgres away for ${(away / 1_000).toFixed(1)} s (${mishap})`;
  const strangers = `cold reads: ${list(cold.statuses)}, slowest ${ms(cold.slowest)}`;
  const back = `back: writes after ${ms(writesBack)}, events after ${ms(eventsBack)}`;
  console.log(
    [head, ...lines(report), strangers, back, 'told the operator:', ...log.map(told)].join('\n'),
  );
  return isKept(report) && isClean(report.reads) && cold.silent === 0;
}
