import type { Deviation } from '../../../db/chain/deviations.ts';
import { DELETED } from '../../../db/schema/chain.ts';
import type { Field } from '../../../db/schema/field.ts';
import { records } from '../../../db/schema/registry.ts';
import type { Say } from '../../../db/texts/say.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import type { Desk } from '../desk.ts';
import { numbered } from '../history/story.ts';
import { valueText } from '../import/value-text.ts';
import { actionForm, onceField } from '../pages/fields.ts';
import { listSection } from '../pages/list-page.ts';
import { momentText } from '../pages/moment.ts';
import { formPlace } from '../records/record-page.ts';

/** So many own fields are listed; the CSV file has all. */
const MAX_LISTED = 200;

function fieldOf({ resource, field }: Pick<Deviation, 'resource' | 'field'>): Field | undefined {
  const fields: Readonly<Record<string, Field>> = records[resource].fields;
  return Object.hasOwn(fields, field) ? fields[field] : undefined;
}

export function fieldLabel(say: Say, named: Pick<Deviation, 'resource' | 'field'>): string {
  const field = fieldOf(named);
  return field ? say(field.options.label) : say('chain.presence');
}

function value(desk: Desk, { resource, field }: Deviation, given: unknown): string {
  const { say } = desk;
  const declared = fieldOf({ resource, field });
  if (declared) return valueText({ say, place: formPlace(desk) }, field, declared, given);
  return say(given === null ? 'chain.there' : 'chain.gone');
}

/** An own value beside the master's. */
export function comparison(desk: Desk, one: Pick<Deviation, 'own' | 'master'> & Deviation): Html {
  const { say } = desk;
  return html`<dl class="facts"><div><dt>${say('chain.own')}</dt><dd dir="auto">${value(desk, one, one.own)}</dd></div>
<div><dt>${say('chain.ofMaster')}</dt><dd dir="auto">${value(desk, one, one.master)}</dd></div></dl>`;
}

export function deviatingName(
  { say }: Desk,
  { resource, id, name }: Pick<Deviation, 'resource' | 'id' | 'name'>,
): string {
  return name ?? numbered(say, resource, id);
}

function item(desk: Desk, path: string, one: Deviation, houses: ReadonlyMap<string, string>): Html {
  const { request, say } = desk;
  const { branch, resource, id, field, by, at } = one;
  const label = fieldLabel(say, one);
  const name = deviatingName(desk, one);
  const house = houses.get(branch);
  const since = { by: by ?? say('history.operator'), at: momentText(desk, at) };
  const give =
    field !== DELETED &&
    actionForm(
      request,
      path,
      'give-back',
      html`${onceField()}<input type="hidden" name="branch" value="${branch}"><input type="hidden" name="resource" value="${resource}"><input type="hidden" name="id" value="${id}"><input type="hidden" name="field" value="${field}">
<button class="button" aria-label="${say('chain.giveBack')}: ${name}, ${label}">${say('chain.giveBack')}</button>`,
    );
  return html`<li class="token"><div class="token-head"><h3 dir="auto">${name}</h3>${house !== undefined && html`<span class="state" dir="auto">${house}</span>`}</div>
<p>${label}</p>
${comparison(desk, one)}
<p class="hint">${say('chain.since', since)}</p>
${give}</li>`;
}

/** Says that a list goes on, and where the rest is. */
export function notShown({ say }: Desk, more: number, where: Content = null): Content {
  return more > 0 && html`<p class="hint">${say('chain.more', { n: more })} ${where}</p>`;
}

interface DeviationList {
  title: string;
  /** To which the forms go. */
  path: string;
  deviations: readonly Deviation[];
  /** The names of houses by their slugs, where there are several. */
  houses?: ReadonlyMap<string, string>;
  /** A link to all of them. */
  all?: Content;
  /** A form beside the title. */
  beside?: Html;
}

/** Own fields with the master's values, each with a button that gives it back. */
export function deviationList(desk: Desk, list: DeviationList): Html {
  const { title, path, deviations, houses = new Map(), all = null, beside } = list;
  const items = deviations.slice(0, MAX_LISTED).map((one) => item(desk, path, one, houses));
  const after = notShown(desk, deviations.length - items.length, all);
  return listSection(title, items, desk.say('chain.noDeviations'), {
    after,
    ...(beside ? { beside } : {}),
  });
}
