import { isDeepStrictEqual } from 'node:util';
import { perform } from '../../../db/actions/action.ts';
import {
  alterRelease,
  createRelease,
  OutdatedRelease,
  releaseWrite,
  removeRelease,
} from '../../../db/actions/releases.ts';
import { toLocal, toUtc } from '../../../db/runtime/zone-clock.ts';
import { type Release, type ReleaseChange, releaseChange } from '../../../db/schema/release.ts';
import { findRelease } from '../../../db/sql/releases.ts';
import type { Answer } from '../../http/answer.ts';
import { chooseCookie, RELEASES_PATH, releasePath } from '../chosen-release.ts';
import { byPath, type Desk } from '../desk.ts';
import { type Form, newFormId } from '../form.ts';
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
import { editorOf, viewRelease } from './release-page.ts';

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

/** The name and the times of a form. */
async function saveFields(desk: Desk, release: Release, form: Form): Promise<Answer> {
  const { timezone } = desk.session;
  const moment = (name: string) => toUtc(form.text(name), timezone) || null;
  const sent = form.all();
  const body = {
    name: form.text('name'),
    ...(sent.has('starts_at') && { starts_at: moment('starts_at') }),
    ...(sent.has('ends_at') && { ends_at: moment('ends_at') }),
  };
  const input = formInput(releaseChange, body);
  // A page shows no seconds, nor which of the two hours is meant that clocks show twice in autumn.
  const isSame = (name: 'starts_at' | 'ends_at') =>
    form.text(name) === (release[name] === null ? '' : toLocal(release[name], timezone));
  for (const name of ['starts_at', 'ends_at'] as const) {
    if (isSame(name)) delete input[name];
  }
  return alter(desk, release, input as ReleaseChange);
}

/** Publishes a release or takes it back, as one write. */
async function askFor(desk: Desk, release: Release, isEnd: boolean): Promise<Answer> {
  const deed = releaseWrite(release.id, isEnd ? { end: true } : {});
  const sent = await sendWrite(desk, deed, [newFormId()]).catch(asFailed);
  if ('kind' in sent) {
    if (sent.kind === 'too-many') return viewRelease(desk, release, sayNotDone(desk, sent));
    return tell(desk, release, 'failed');
  }
  const { outcome } = sent;
  if (outcome.kind !== 'bulk' || !outcome.applied) return tell(desk, release, 'releaseRefused');
  return tell(desk, release, isEnd ? 'releaseEnded' : 'releasePublished');
}

async function copy(desk: Desk, release: Release): Promise<Answer> {
  const { say } = desk;
  const name = say('releases.copyOf', { name: release.name }).slice(0, 100);
  const asked = { name, operations: release.operations, starts_at: null, ends_at: null };
  const { result } = await perform(createRelease, deskContext(desk), {
    ...asked,
    is_preview_open: false,
    confirmed_by: null,
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
  acts: {
    prepare: async (desk, { id }) => choose(desk, id),
    stop: async (desk) => choose(desk, null),
    publish: (desk, release) => askFor(desk, release, false),
    end: (desk, release) => askFor(desk, release, true),
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
