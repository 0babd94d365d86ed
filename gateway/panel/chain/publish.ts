import { perform } from '../../../db/actions/action.ts';
import { schedulePublication } from '../../../db/actions/chains.ts';
import { toUtc } from '../../../db/runtime/zone-clock.ts';
import { type PublishedOutcome, publishInput } from '../../../db/schema/chain.ts';
import { sayBroken } from '../../../db/schema/error-sentences.ts';
import { InvalidError } from '../../../db/schema/validation/invalid-error.ts';
import { broken } from '../../../db/schema/validation/rule.ts';
import type { ChainBranch } from '../../../db/sql/chains.ts';
import type { Answer } from '../../http/answer.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import {
  type BranchResult,
  chosenBranches,
  lastPublication,
  publishChain,
} from '../../writes/publish-chain.ts';
import type { Desk } from '../desk.ts';
import { type Form, isFormId } from '../form.ts';
import { deskContext, formInput } from '../forms/action-form.ts';
import { input } from '../forms/inputs.ts';
import { actionForm, notice, onceField } from '../pages/fields.ts';
import { listSection } from '../pages/list-page.ts';
import { momentText } from '../pages/moment.ts';
import { redirectAnswer, titledPage } from '../pages/page.ts';
import { permitWrite } from '../permission.ts';

import { CHAIN_PATH, DEVIATIONS_PATH, ofMaster, wayToChain } from './chain.ts';
import { comparison, deviatingName, fieldLabel, notShown } from './deviation-list.ts';

/** So many own values of a house are shown with a publication. */
const MAX_SHADOWED = 30;

/** The card that asks for a publication: which houses, and when. */
export function publishCard({ request, say }: Desk, branches: readonly ChainBranch[]): Html {
  const boxes = branches.map(
    ({ slug, name }) =>
      html`<div class="choice"><input type="checkbox" name="house" value="${slug}" id="house-${slug}" checked><label for="house-${slug}" dir="auto">${name}</label></div>`,
  );
  const which = html`<details><summary>${say('chain.which')}</summary><fieldset class="scopes"><legend class="hidden">${say('chain.which')}</legend>${boxes}</fieldset></details>`;
  const inner = html`${which}
${input({ name: 'starts_at', label: say('chain.when'), type: 'datetime-local', value: '' })}
<p class="hint">${say('chain.whenHint')}</p>
<button class="main wide">${say('chain.try')}</button>`;
  return html`<section class="card create" aria-labelledby="create-title"><h2 id="create-title">${say('chain.publish')}</h2>
<p class="hint">${say('chain.publishHint')}</p>
${actionForm(request, CHAIN_PATH, 'try', inner, true)}</section>`;
}

/** @throws InvalidError */
function readPublication({ session }: Desk, form: Form, branches: readonly ChainBranch[]) {
  const houses = form.list('house');
  if (houses.length === 0) throw new InvalidError({ branches: [broken('required')] });
  const typed = form.text('starts_at');
  const starts_at = typed === '' ? null : toUtc(typed, session.timezone);
  const asked = formInput(publishInput, { branches: [...houses], starts_at });
  return { input: asked, chosen: chosenBranches(branches, asked.branches) };
}

/** How many refused records of a result are not listed in it. */
function unlistedRefused({ counts, refused }: PublishedOutcome): number {
  return Math.max(counts.failed - refused.filter(({ resource }) => resource !== null).length, 0);
}

function shadowedPart(desk: Desk, { slug, outcome }: BranchResult): Content {
  const { say } = desk;
  const shadowed = outcome?.shadowed ?? [];
  if (shadowed.length === 0) return null;
  const items = shadowed.slice(0, MAX_SHADOWED).map((one) => {
    const deviation = { ...one, branch: slug, by: null, at: '' };
    return html`<li><p><strong dir="auto">${deviatingName(desk, one)}</strong> · ${fieldLabel(say, one)}</p>${comparison(desk, deviation)}</li>`;
  });
  const unlisted = outcome ? outcome.left_out - unlistedRefused(outcome) : 0;
  const all = shadowed.length + Math.max(unlisted, 0);
  const list = html`<a href="${DEVIATIONS_PATH}?branch=${slug}">${say('chain.deviationsTitle')}</a>`;
  return html`<details><summary>${say('chain.shadowed', { n: all })}</summary><ul class="rows">${items}</ul>${notShown(desk, all - items.length, list)}</details>`;
}

function refusedPart(desk: Desk, { outcome }: BranchResult): Content {
  const { say } = desk;
  const refused = outcome?.refused ?? [];
  if (refused.length === 0) return null;
  const items = refused.map(({ resource, id, name, errors }) => {
    const texts = Object.entries(errors).flatMap(([field, [one]]) => {
      if (!one) return [];
      const label = resource && fieldLabel(say, { resource, field: field.split('.')[0] ?? '' });
      return [`${label ? `${label}: ` : ''}${sayBroken(say, one)}`];
    });
    const title = resource && id !== null ? deviatingName(desk, { resource, id, name }) : name;
    return html`<li><p><strong dir="auto">${title}</strong></p><p>${texts.join(' ')}</p></li>`;
  });
  const more = outcome ? unlistedRefused(outcome) : 0;
  const n = refused.length + more;
  return html`<details open><summary>${say('chain.refused', { n })}</summary><ul class="rows">${items}</ul>${notShown(desk, more)}</details>`;
}

/** How many records came to what, in words; without those that none came to. */
function countsText({ request: { say } }: Desk, counts: PublishedOutcome['counts']): string {
  return (['created', 'updated', 'deleted', 'unchanged'] as const)
    .filter((kind) => counts[kind] > 0)
    .map((kind) => say(`chain.counted.${kind}`, { n: counts[kind] }))
    .join(', ');
}

function resultItem(desk: Desk, one: BranchResult): Html {
  const { say } = desk;
  const { name, state, outcome } = one;
  const mark = state === 'done' ? 'active' : state === 'failed' ? 'revoked' : 'due';
  const word = outcome?.dry_run && state === 'done' ? 'tried' : state;
  return html`<li class="token ${mark}"><div class="token-head"><h3 dir="auto">${name}</h3><span class="state ${mark}">${say(`chain.states.${word}`)}</span></div>
${outcome && html`<p>${countsText(desk, outcome.counts)}</p>`}
${refusedPart(desk, one)}${shadowedPart(desk, one)}</li>`;
}

/** The button that does what was tried. */
function confirmation(desk: Desk, form: Form, starts: string | null): Html {
  const { request, say } = desk;
  const houses = form
    .list('house')
    .map((slug) => html`<input type="hidden" name="house" value="${slug}">`);
  const at = starts === null ? null : momentText(desk, starts);
  const text = at === null ? say('chain.publishNow') : say('chain.publishAt', { at });
  const inner = html`${houses}<input type="hidden" name="starts_at" value="${form.text('starts_at')}">${onceField()}<button class="main">${text}</button>`;
  return actionForm(request, CHAIN_PATH, 'publish', inner);
}

function resultPage(
  desk: Desk,
  results: readonly BranchResult[],
  { title, after = null }: { title: string; after?: Content },
): Answer {
  const { say } = desk;
  const failed = results.filter(({ state }) => state === 'failed');
  const isWaiting = results.some(({ state }) => state === 'waiting');
  const content = html`${failed.length > 0 && notice('bad', say('chain.someFailed', { n: failed.length }))}
${isWaiting && html`<p class="intro">${say('chain.someWait')} <a href="${CHAIN_PATH}/published">${say('chain.look')}</a></p>`}
${after}
${listSection(
  say('chain.houses'),
  results.map((one) => resultItem(desk, one)),
  '',
)}`;
  return titledPage(desk, { title, way: wayToChain(say), content, place: 'chain' });
}

/** `GET /admin/chain/published`: what the last publication came to. */
export const showPublished = ofMaster(async (desk) => {
  const results = await lastPublication(desk.db, desk.tenantId);
  return resultPage(desk, results, { title: desk.say('chain.published') });
});

/**
 * Tries a publication, and asks whether it is to be done; or does what was tried.
 *
 * @throws InvalidError
 */
export async function publishByForm(desk: Desk, form: Form, branches: readonly ChainBranch[]) {
  const { request, session, writes, say, tenantId } = desk;
  const { input: asked, chosen } = readPublication(desk, form, branches);
  permitWrite(session.role, { resource: 'menu', action: 'publish' });
  const isDryRun = form.text('do') === 'try';
  const formId = form.text('form_id');
  if (!isDryRun && !isFormId(formId)) return redirectAnswer(request, CHAIN_PATH);
  if (!isDryRun && asked.starts_at !== null) {
    await perform(schedulePublication(say('chain.release')), deskContext(desk, formId), asked);
    return redirectAnswer(request, `${CHAIN_PATH}?done=scheduled`);
  }
  const publisher = { kind: 'user', name: session.email } as const;
  const key = isDryRun ? null : formId;
  const results = await publishChain(writes, tenantId, chosen, { isDryRun, publisher, key });
  const isPossible = results.some(({ state }) => state !== 'failed');
  const after = isDryRun && isPossible && confirmation(desk, form, asked.starts_at);
  const title = say(isDryRun ? 'chain.tried' : 'chain.published');
  return resultPage(desk, results, { title, after });
}
