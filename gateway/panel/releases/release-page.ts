import { toLocal } from '../../../db/runtime/zone-clock.ts';
import type { DiffRecord } from '../../../db/schema/bulk.ts';
import { defaultsOf, isSame, localizeInput } from '../../../db/schema/record.ts';
import { records } from '../../../db/schema/registry.ts';
import { isWaiting, type Problem, type Release } from '../../../db/schema/release.ts';
import { isCollection } from '../../../db/schema/values/resource.ts';
import type { Row } from '../../../db/schema/values/row.ts';
import { type AdminRecord, findRecord, findRecordByKey } from '../../../db/sql/admin-records.ts';
import type { Say } from '../../../db/texts/say.ts';
import { qrCode } from '../../display/qr-code.ts';
import type { Answer } from '../../http/answer.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import { releasePreviewPath } from '../../http/path.ts';
import { RELEASES_PATH, releasePath } from '../chosen-release.ts';
import { type Desk, homeOrigin } from '../desk.ts';
import { type FormField, type FormState, formFields } from '../forms/action-form.ts';
import { fieldsWithNames, type Names, numbered, readNames } from '../history/story.ts';
import { diffRecord } from '../import/diff-view.ts';
import { errorLabel, errorText } from '../import/value-text.ts';
import { actionForm, copyField, hiddenFields, onceField } from '../pages/fields.ts';
import { nameHeading, titledPage } from '../pages/page.ts';
import { EDITORS, type Editor } from '../records/editor.ts';
import { formPlace } from '../records/record-page.ts';
import { recordName, sentName } from '../texts/choose.ts';
import { messageNotice } from '../writes/message.ts';
import { keyOf } from '../writes/planned-values.ts';
import { spanText, troubleTag } from './releases-page.ts';

type Operation = Release['operations'][number];

/** The record that an operation changes, as it is now; null of one that is new or not there. */
async function presentOf({ db, tenantId }: Desk, one: Operation): Promise<AdminRecord | null> {
  const resource = one.resource;
  const isOne = typeof one.id === 'number' || records[resource].isSingleton;
  if (isOne) return findRecord(db, resource, tenantId, one.id ?? null);
  return one.external_id && isCollection(resource)
    ? findRecordByKey(db, resource, tenantId, one.external_id)
    : null;
}

function nameOf({ request, say }: Desk, one: Operation, present: AdminRecord | null): string {
  const { name } = one.data ?? {};
  if (name !== undefined) return sentName(name, request.language);
  const known = present && recordName(present.data, request.language);
  return known || one.external_id || numbered(say, one.resource, one.id);
}

const OUTCOMES = {
  create: 'created',
  delete: 'deleted',
  update: 'updated',
  upsert: 'updated',
} as const;

/**
 * The fields that an operation changes, each with its value before and its new one.
 *
 * @param present the record as it is now, for what the operation does not expect; unknown without it
 */
function fieldsOf(one: Operation, present: AdminRecord | null): DiffRecord['changes'] {
  const { resource, action, data = {} } = one;
  const defaults = action === 'create' ? defaultsOf(records[resource]) : {};
  // A value that every new record has says nothing.
  const own = Object.entries(data).filter(
    ([field, value]) =>
      field !== 'external_id' && !(field in defaults && isSame(value, defaults[field])),
  );
  const expected: Row = one.expected ?? {};
  // A text by language as all of its languages.
  const before = (field: string) =>
    field in expected
      ? expected[field]
      : (present?.data[`${field}_translations`] ?? present?.data[field]);
  return Object.fromEntries(own.map(([field, value]) => [field, [before(field), value]]));
}

/** An operation whose plain texts are in the default language, as programs mean them. */
function inLanguages({ request }: Desk, one: Operation, present: AdminRecord | null): Operation {
  const { defaultLocale } = request.context.restaurant.tenant;
  const localized = (body: Row = {}) =>
    localizeInput(records[one.resource], body, defaultLocale, present?.data);
  return { ...one, data: localized(one.data), expected: localized(one.expected) };
}

/** An operation, with the record that it changes as it is now. */
type Placed = readonly [one: Operation, present: AdminRecord | null];

function namesOf(desk: Desk, operations: readonly Placed[]): Promise<Names> {
  const changes = operations.map(([one, present]) => ({
    ...{ resource: one.resource, id: one.id ?? 0, external_id: null, name: null },
    ...{ action: 'changed' as const, fields: fieldsOf(one, present) },
  }));
  return readNames(desk, changes);
}

/** An operation as the views of differences take it. */
function toDiffRecord(say: Say, [one, present]: Placed, name: string, names: Names): DiffRecord {
  const resource = one.resource;
  const changes = fieldsWithNames(say, resource, fieldsOf(one, present), names);
  const outcome = OUTCOMES[one.action];
  return { resource, outcome, path: '', row: null, name, within: null, changes, errors: {} };
}

function problemItem({ say }: Desk, { resource, errors }: Problem, name: string): Html {
  const texts = Object.entries(errors).flatMap(([field, rules]) =>
    rules.map((one) => {
      const label = errorLabel(say, resource, field);
      return html`<li>${name !== '' && html`<bdi>${name}</bdi> `}${label !== '' && html`<strong>${label}:</strong> `}${errorText(say, one, field)}</li>`;
    }),
  );
  return html`${texts}`;
}

const at = ({ path }: Problem) => Number(/^operations\.(\d+)$/.exec(path)?.[1] ?? Number.NaN);

function problemsPart(desk: Desk, release: Release, names: readonly string[]): Content {
  const { problems, state } = release;
  if (problems.length === 0) return null;
  const titles = { live: 'releases.willLeave', ended: 'releases.left' } as const;
  const isTakenBack = state === 'live' || state === 'ended';
  const title = desk.say(isTakenBack ? titles[state] : 'releases.problems');
  const items = problems.map((one) => problemItem(desk, one, names[at(one)] ?? ''));
  return html`<section class="card part diff failed"><h2>${title}</h2><ul>${items}</ul></section>`;
}

/**
 * Deeds that are done once, however often their form is sent. A browser without a connection keeps such
 * forms and sends them later. `prepare` must not come so late: all edits after it go into the release.
 */
const ONCE: readonly string[] = ['publish', 'end', 'copy'];

/** A button of a form of its own. */
function deed(desk: Desk, release: Release, action: string, text: string, kind = 'button'): Html {
  const button = html`${ONCE.includes(action) && onceField()}<button class="${kind}">${text}</button>`;
  return actionForm(desk.request, releasePath(release), action, button);
}

/** The page on which the record of an operation is changed within the release, if there is one. */
export function editorOf({ resource, action, id }: Operation): Editor | undefined {
  const isOpen = action === 'create' || (action === 'update' && typeof id === 'number');
  const isOne = records[resource].isSingleton && action === 'update';
  const editor = EDITORS.find((one) => one.resource === resource);
  return (isOpen && !editor?.record.isUploaded) || isOne ? editor : undefined;
}

function newDishLink(desk: Desk, one: Operation): Content {
  const key = keyOf(one);
  if (one.resource !== 'categories' || one.action !== 'create' || key === null) return null;
  const path = `/admin/menu/items/new?section=new:${encodeURIComponent(key)}`;
  return html`<p><a class="button" href="${path}">+ ${desk.say('releases.addDish')}</a></p>`;
}

async function changesPart(
  desk: Desk,
  release: Release,
  names: readonly string[],
  present: readonly (AdminRecord | null)[],
): Promise<Html> {
  const { say } = desk;
  const { operations } = release;
  // A published release has changed its records: their values are no longer those before it.
  const placed = operations.map((one, index): Placed => {
    const before = isWaiting(release) ? (present[index] ?? null) : null;
    return [inLanguages(desk, one, before), before];
  });
  const known = await namesOf(desk, placed);
  const writing = { say, place: formPlace(desk) };
  const items = operations.map((one, index) => {
    const name = names[index] ?? '';
    const shown = diffRecord(writing, toDiffRecord(say, placed[index] as Placed, name, known));
    const removal = html`<button name="do" value="remove:${index}" aria-label="${say('releases.remove', { name })}">${say('releases.removeShort')}</button>`;
    const isEdited = isWaiting(release) && editorOf(one) !== undefined;
    const change =
      isEdited &&
      html`<button name="do" value="edit:${index}" aria-label="${say('releases.edit', { name })}">${say('releases.editShort')}</button>`;
    return html`${shown}${isWaiting(release) || release.state === 'failed' ? html`<li class="acts">${isWaiting(release) && newDishLink(desk, one)}${change}${removal}</li>` : null}`;
  });
  const list =
    items.length === 0
      ? html`<p class="hint">${say('releases.none')}</p>`
      : html`<form method="post" action="${releasePath(release)}">${hiddenFields(desk.request)}<ul>${items}</ul></form>`;
  return html`<section class="card part diff changed"><h2>${say('releases.changes')} <span class="count">${operations.length}</span></h2>${list}</section>`;
}

/** The fields of a release that can still change. */
export function releaseFields({ state }: Release): FormField[] {
  const moment = (of: 'starts' | 'ends'): FormField => {
    const texts = { label: `releases.${of}`, hint: `releases.${of}Hint` } as const;
    return { kind: 'moment', name: `${of}_at`, ...texts };
  };
  const isPublished = state === 'live' || state === 'ended';
  return [
    { kind: 'text', name: 'name', label: 'releases.name' },
    ...(isPublished ? [] : [moment('starts')]),
    ...(state === 'ended' ? [] : [moment('ends')]),
  ];
}

/** The values of these fields. */
export function releaseValues({ session }: Desk, { name, starts_at, ends_at }: Release) {
  const local = (moment: string | null) => (moment ? toLocal(moment, session.timezone) : '');
  return { name, starts_at: local(starts_at), ends_at: local(ends_at) };
}

function whenPart(desk: Desk, release: Release, state: FormState): Html {
  const { request, say } = desk;
  const values = releaseValues(desk, release);
  const fields = formFields(say, releaseFields(release), { values, ...state });
  return html`<section class="card part"><h2>${say('releases.when')}</h2>
<form class="editor" method="post" action="${releasePath(release)}" novalidate>${hiddenFields(request)}
${fields}<button class="main" name="do" value="save">${say('editor.save')}</button></form></section>`;
}

function lookPart(desk: Desk, release: Release): Content {
  if (!isWaiting(release)) return null;
  const { say } = desk;
  const { secret } = release;
  const own = `${releasePath(release)}/preview`;
  const link = secret && `${homeOrigin(desk)}${releasePreviewPath(secret)}`;
  return html`<section class="card part"><h2>${say('editor.preview')}</h2>
<p class="row"><a class="button main" href="${own}" target="_blank" rel="noopener">${say('releases.look')}</a><a class="button" href="${own}?screen=1" target="_blank" rel="noopener">${say('releases.wall')}</a></p>
<h3>${say('releases.link')}</h3><p class="hint">${say('releases.linkHint')}</p>
${
  link &&
  html`<p><a class="address" href="${link}" translate="no">${link}</a></p>${copyField(say, 'preview-link', say('releases.link'), link)}
<div class="reveal-link code">${qrCode(link)}</div>`
}
${deed(desk, release, link ? 'withdraw' : 'link', say(link ? 'releases.withdraw' : 'releases.newLink'))}</section>`;
}

function deedsPart(desk: Desk, release: Release): Html {
  const { say } = desk;
  const { state, ends_at, operations } = release;
  const isOpen = isWaiting(release) || state === 'failed';
  return html`<section class="card part"><div class="row">
${isOpen && operations.length > 0 && deed(desk, release, 'publish', say('releases.publish'), 'main')}
${state === 'live' && deed(desk, release, 'end', say('releases.end'))}
${deed(desk, release, 'copy', say('releases.copy'))}
${isOpen && operations.length > 0 && deed(desk, release, 'clear', say('releases.clear'))}
${!(state === 'live' && ends_at !== null) && deed(desk, release, 'delete', say('releases.delete'), 'button danger')}</div></section>`;
}

export async function viewRelease(desk: Desk, release: Release, state: FormState): Promise<Answer> {
  const { say } = desk;
  const present: (AdminRecord | null)[] = [];
  for (const one of release.operations) present.push(await presentOf(desk, one));
  const names = release.operations.map((one, index) => nameOf(desk, one, present[index] ?? null));
  const span = spanText(desk, release);
  const prepare =
    isWaiting(release) && deed(desk, release, 'prepare', say('releases.prepare'), 'main');
  const content = html`${problemsPart(desk, release, names)}
${prepare}
${await changesPart(desk, release, names, present)}
${whenPart(desk, release, state)}
${lookPart(desk, release)}
${deedsPart(desk, release)}`;
  return titledPage(desk, {
    state: { ...state, notice: state.notice ?? (await messageNotice(desk)) },
    ...{ title: release.name, way: [RELEASES_PATH, say('places.releases')], place: 'releases' },
    heading: nameHeading(release.name),
    intro: html`${say(`releases.states.${release.state}`)}${span !== '' && html` · ${span}`} ${troubleTag(desk, release)}`,
    content,
  });
}
