import { costRatio, type Finding, type Goal, type Row } from '../result.ts';
import type { MedianAndRange } from './median.ts';

export const whole = (value: number) => Math.round(value).toLocaleString('en-GB');

/** Three significant digits. */
export function decimals(value: number): string {
  return Math.abs(value) >= 100 || value === 0 ? whole(value) : value.toPrecision(3);
}

export function medianText({ median, low, high }: MedianAndRange): string {
  const isSingle = low === undefined || high === undefined || low === high;
  return isSingle ? decimals(median) : `${decimals(median)} (${decimals(low)}–${decimals(high)})`;
}

/** The lines of a Markdown table. */
export function tableOf(head: readonly string[], lines: readonly (readonly string[])[]): string[] {
  const rule = head.map(() => '---');
  return [head, rule, ...lines].map((cells) => `| ${cells.join(' | ')} |`);
}

function rowCells(row: Row, first: Row): string[] {
  return [
    row.name,
    whole(row.requestsPerSecond.median),
    ...[row.p50, row.p99, row.p999].map(({ median }) => decimals(median)),
    medianText(row.cpu),
    `${whole(row.core * 100)} %`,
    costRatio(row, first).toFixed(2),
  ];
}

function goalLine({ text, measured, atLeast, atMost, met }: Goal): string {
  const bound = atLeast === undefined ? `at most ${atMost}` : `at least ${atLeast}`;
  return `- ${text}: ${decimals(measured)}, goal ${bound}: ${met ? 'met' : '**missed**'}`;
}

/** One finding with all its figures, as Markdown. */
export function renderFinding({ title, note, rows, figures, goals }: Finding): string {
  const head = ['', 'requests/s', 'p50 ms', 'p99 ms', 'p99.9 ms', 'CPU µs/request', 'core', '×'];
  const [first] = rows ?? [];
  const blocks = [
    [`### ${title}`],
    note === undefined ? [] : [note],
    first && rows
      ? tableOf(
          head,
          rows.map((row) => rowCells(row, first)),
        )
      : [],
    figures
      ? tableOf(
          ['', ''],
          figures.map((one) => [one.name, `${medianText(one)} ${one.unit}`]),
        )
      : [],
    goals?.map(goalLine) ?? [],
  ];
  return blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n');
}
