import { groupBy } from '../../../db/runtime/group-by.ts';
import type { ExchangeReport, Loss } from '../../../db/schema/exchange-report.ts';
import type { Field } from '../../../db/schema/field.ts';
import { records } from '../../../db/schema/registry.ts';
import { isResource } from '../../../db/schema/values/resource.ts';
import type { Say } from '../../../db/texts/say.ts';
import { type Content, type Html, html } from '../../http/html.ts';

/** The most records of a loss that the page names. */
const MOST_NAMED = 100;

/** An entry of either list. */
interface Entry {
  resource: string;
  id: number | string | null;
  name: string;
  why: Loss;
  field?: string;
}

/** Whether it is of the restaurant itself: such losses stand together, whatever their fields. */
const isFact = ({ resource, field }: Entry) => resource === 'settings' && field !== undefined;

/** The name of a field; a service's own word for one that is not ours. */
function fieldLabel(say: Say, { resource, field = '' }: Entry): Content {
  if (field === 'vat') return say('exchange.vat');
  const fields: Record<string, Field> = isResource(resource) ? records[resource].fields : {};
  const known = fields[field];
  return known ? say(known.options.label) : html`<span lang="">${field}</span>`;
}

/** The kind of a record; a service's own word for one that is not ours. */
const kindLabel = (say: Say, resource: string): Content =>
  isResource(resource) ? say(records[resource].label) : html`<span lang="">${resource}</span>`;

/** The name of a record; of a fact about the restaurant that of its field. */
function entryName(say: Say, entry: Entry): Html {
  const { resource, name, id } = entry;
  if (isFact(entry)) return html`<li>${fieldLabel(say, entry)}</li>`;
  return html`<li><bdi>${name || html`${kindLabel(say, resource)} ${id}`}</bdi></li>`;
}

/** Losses of one kind, with the records that have them. */
function lossItem(say: Say, entries: readonly Entry[]): Content {
  const [first] = entries;
  if (!first) return null;
  const shown = entries.slice(0, MOST_NAMED).map((entry) => entryName(say, entry));
  const rest = entries.length - shown.length;
  const field = first.field !== undefined && !isFact(first);
  const of = html`${kindLabel(say, first.resource)}${field && html` · ${fieldLabel(say, first)}`}`;
  return html`<li><details><summary><span><strong>${of}</strong>: ${say(`exchange.losses.${first.why}`)}</span> <span class="count">${entries.length}</span></summary>
<ul>${shown}${rest > 0 && html`<li class="hint">${say('exchange.more', { n: rest })}</li>`}</ul></details></li>`;
}

function lossList(say: Say, title: string, entries: readonly Entry[]): Content {
  if (entries.length === 0) return null;
  const groups = groupBy(entries, (entry) => {
    const { resource, field, why } = entry;
    return `${resource} ${isFact(entry) ? '' : field} ${why}`;
  });
  const sorted = [...groups.values()].sort((left, right) => right.length - left.length);
  return html`<h3>${title}</h3><ul class="losses">${sorted.map((each) => lossItem(say, each))}</ul>`;
}

/** The losses of an exchange, those of one kind together. */
export function reportView(say: Say, { left_out, lossy, more = 0 }: ExchangeReport): Html {
  if (left_out.length + lossy.length === 0) return html`<p>${say('exchange.whole')}</p>`;
  return html`${lossList(say, say('exchange.leftOut'), left_out)}
${lossList(say, say('exchange.lossy'), lossy)}
${more > 0 && html`<p class="hint">${say('exchange.more', { n: more })}</p>`}`;
}
