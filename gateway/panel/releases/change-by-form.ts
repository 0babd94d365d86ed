import { isDeepStrictEqual } from 'node:util';
import { perform } from '../../../db/actions/action.ts';
import {
  alterRelease,
  createRelease,
  OutdatedRelease,
  releaseWrite,
  removeRelease,
} from '../../../db/actions/releases.ts';
import { toUtc } from '../../../db/runtime/zone-clock.ts';
import { type Release, type ReleaseChange, releaseChange } from '../../../db/schema/release.ts';
import { findRelease } from '../../../db/sql/releases.ts';
import type { Answer } from '../../http/answer.ts';
import { chooseCookie, RELEASES_PATH, releasePath } from '../chosen-release.ts';
import { byPath, type Desk } from '../desk.ts';
import { type Form, formIdOf, newFormId } from '../form.ts';
import { deskContext, formInput } from '../forms/action-form.ts';
import type { RecordPage } from '../forms/record-page.ts';
import { redirectAnswer } from '../pages/page.ts';
import { editorPath } from '../records/editor.ts';
import { notFoundPage } from '../records/show-record.ts';
import { newKey } from '../writes/into-release.ts';
import { type Message, redirectTelling } from '../writes/message.ts';
import { keyOf } from '../writes/planned-values.ts';
import { asFailed, sendWrite } from '../writes/save.ts';
import { sayNotDone } from '../writes/save-many.ts';
import { editorOf, releaseFields, releaseValues, viewRelease } from './release-page.ts';

function tell(desk: Desk, release: Release, text: Message['text'], path = releasePath(release)) {
  return redirectTelling(desk, [newFormId()], path, { text, values: { name: release.name } });
}

async function alter(
  desk: Desk,
  release: Release,
  change: ReleaseChange | ((now: Release) => ReleaseChange),
): Promise<Answer> {
  const { db, now, tenantId } = desk;
  const after = await alterRelease(db, tenantId, release.id, change, null, now());
  if (!after || after instanceof OutdatedRelease) return notFoundPage(desk);
  return tell(desk, after, 'releaseSaved');
}

/** The values of a form that differ from those that its page showed. */
async function saveFields(desk: Desk, release: Release, form: Form): Promise<Answer> {
  const sent = form.all();
  // A page shows no seconds, nor which of the two hours is meant that clocks show twice in autumn.
  const changed = Object.entries(releaseValues(desk, release)).flatMap(([name, shown]) => {
    const typed = form.text(name);
    if (!sent.has(name) || typed === shown) return [];
    return [[name, name === 'name' ? typed : toUtc(typed, desk.session.timezone) || null]];
  });
  const input = formInput(releaseChange, Object.fromEntries(changed));
  return alter(desk, release, input as ReleaseChange);
}

/** Publishes a release or takes it back, as one write however often its form is sent. */
async function askFor(desk: Desk, release: Release, isEnd: boolean, form: Form): Promise<Answer> {
  const deed = releaseWrite(release.id, isEnd ? { end: true } : {});
  const key = [formIdOf(form.text('form_id')), isEnd];
  const sent = await sendWrite(desk, deed, key).catch(asFailed);
  if ('kind' in sent) {
    if (sent.kind === 'too-many') return viewRelease(desk, release, sayNotDone(desk, sent));
    return tell(desk, release, 'failed');
  }
  const { outcome } = sent;
  if (outcome.kind !== 'bulk' || !outcome.applied) return tell(desk, release, 'releaseRefused');
  return tell(desk, release, isEnd ? 'releaseEnded' : 'releasePublished');
}

async function copy(desk: Desk, release: Release, form: Form): Promise<Answer> {
  const name = desk.say('releases.copyOf', { name: release.name }).slice(0, 100);
  const { result } = await perform(createRelease, deskContext(desk, form.text('form_id')), {
    ...{ name, operations: release.operations, starts_at: null, ends_at: null },
    ...{ is_preview_open: false, confirmed_by: null },
  });
  return tell(desk, result, 'releaseSaved');
}

async function remove(desk: Desk, release: Release): Promise<Answer> {
  await removeRelease(desk.db, desk.tenantId, release.id);
  return tell(desk, release, 'releaseDeleted', RELEASES_PATH);
}

/** Leads to the page of the record of an operation, whose form saves into the release. */
async function edit(desk: Desk, release: Release, index: number): Promise<Answer> {
  const { request, db, now, tenantId } = desk;
  const one = release.operations[index];
  const editor = one && editorOf(one);
  if (!one || !editor) return notFoundPage(desk);
  const cookies = [chooseCookie(request, release.id)];
  if (one.action !== 'create') {
    return redirectAnswer(request, editorPath(editor, one.id ?? null), cookies);
  }
  const key = keyOf(one) ?? newKey();
  if (keyOf(one) === null) {
    const named = ({ operations }: Release) => ({
      operations: operations.map((other, at) =>
        at === index && isDeepStrictEqual(other, one) ? { ...one, external_id: key } : other,
      ),
    });
    await alterRelease(db, tenantId, release.id, named, null, now());
  }
  return redirectAnswer(request, editorPath(editor, null, key), cookies);
}

const choose = (desk: Desk, id: number | null) =>
  redirectAnswer(desk.request, '/admin/menu', [chooseCookie(desk.request, id)]);

/** The place of the operation that a button names behind its action, such as `remove:3`. */
const placeIn = (form: Form) => Number(form.text('do').split(':')[1] || Number.NaN);

/** `/admin/releases/{id}` */
export const releasePage: RecordPage<Release> = {
  find: byPath(findRelease),
  gone: notFoundPage,
  page: viewRelease,
  fields: (_, release) => releaseFields(release),
  acts: {
    prepare: async (desk, { id }) => choose(desk, id),
    stop: async (desk) => choose(desk, null),
    publish: (desk, release, form) => askFor(desk, release, false, form),
    end: (desk, release, form) => askFor(desk, release, true, form),
    copy,
    delete: remove,
    clear: (desk, release) => alter(desk, release, { operations: [] }),
    remove: (desk, release, form) =>
      alter(desk, release, ({ operations }) => ({
        operations: operations.filter((_, at) => at !== placeIn(form)),
      })),
    edit: (desk, release, form) => edit(desk, release, placeIn(form)),
    link: (desk, release) => alter(desk, release, { is_preview_open: true }),
    withdraw: (desk, release) => alter(desk, release, { is_preview_open: false }),
    save: saveFields,
  },
};
