import { groupBy } from '../../runtime/group-by.ts';
import type { ExchangeReport } from '../../schema/exchange-report.ts';
import { sayIn } from '../../texts/say.ts';

/** How many records of a kind of loss are named. */
const NAMED = 5;

type Entry = ExchangeReport['left_out'][number] & { field?: string };

function linesOf(what: string, entries: readonly Entry[]): string[] {
  const say = sayIn('en');
  return [...groupBy(entries, ({ why, field = '' }) => `${field} ${why}`).values()].map((group) => {
    const [{ why, field }] = group as [Entry];
    const names = group.slice(0, NAMED).map(({ name, id }) => JSON.stringify(name || String(id)));
    const more = group.length > NAMED ? `, and ${group.length - NAMED} more` : '';
    const place = field === undefined ? '' : ` ${field}`;
    return `${what}${place}: ${say(`exchange.losses.${why}`)} ${names.join(', ')}${more}`;
  });
}

/** A report as text: a line a kind of loss, with the first records. */
export function describeReport({ target, sent, left_out, lossy, more = 0 }: ExchangeReport) {
  return [
    `${target}: ${sent} dishes`,
    ...linesOf('left out', left_out),
    ...linesOf('not whole:', lossy),
    ...(more > 0 ? [`${more} more losses are not listed`] : []),
  ];
}
