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
import { sayBroken } from '../../../db/schema/error-sentences.ts';
import { type Release, type ReleaseChange, releaseChange } from '../../../db/schema/release.ts';
import { checkInput } from '../../../db/schema/validation/check-input.ts';
import type { FieldErrors } from '../../../db/schema/validation/rule.ts';
import { findRelease } from '../../../db/sql/releases.ts';
import type { Answer } from '../../http/answer.ts';
import { InvalidError } from '../../http/errors.ts';
import { chooseCookie, RELEASES_PATH, releasePath } from '../chosen-release.ts';
import { type Desk, findPathRecord } from '../desk.ts';
import { type Form, newFormId, readForm } from '../form.ts';
import { deskContext } from '../forms/action-form.ts';
import { refusal, staleForm } from '../pages/fields.ts';
import { redirectAnswer } from '../pages/page.ts';
import { isOwnForm } from '../panel-request.ts';
import { editorPath } from '../records/editor.ts';
import { notFoundPage } from '../records/show-record.ts';
import { newKey } from '../writes/into-release.ts';
import { type Message, redirectTelling } from '../writes/message.ts';
import { keyOf } from '../writes/planned-values.ts';
import { asFailed, sendWrite } from '../writes/save.ts';
import { sayTooMany } from '../writes/save-many.ts';
import { editorOf, releasePage } from './release-page.ts';

function tell(desk: Desk, release: Release, text: Message['text'], path = releasePath(release)) {
  return redirectTelling(desk, [newFormId()], path, { text, values: { name: release.name } });
}

/** The page with errors beside its fields, or above it. */
function refuse(desk: Desk, release: Release, errors: FieldErrors): Promise<Answer> {
  const { say } = desk.request;
  const texts = Object.entries(errors).flatMap(([field, [one]]) =>
    one ? [[field, sayBroken(say, one)] as const] : [],
  );
  const refused = refusal(texts.map(([, text]) => text).join(' '));
  return releasePage(desk, release, { ...refused, errors: Object.fromEntries(texts) });
}

async function alter(
  desk: Desk,
  release: Release,
  change: ReleaseChange | ((now: Release) => ReleaseChange),
): Promise<Answer> {
  const { db, request, now } = desk;
  const after = await alterRelease(db, request.tenantId, release.id, change, null, now());
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
  const checked = checkInput(releaseChange, body);
  if ('errors' in checked) return refuse(desk, release, checked.errors);
  // A page shows no seconds, nor which of the two hours is meant that clocks show twice in autumn.
  const isSame = (name: 'starts_at' | 'ends_at') =>
    form.text(name) === (release[name] === null ? '' : toLocal(release[name], timezone));
  for (const name of ['starts_at', 'ends_at'] as const) {
    if (isSame(name)) delete checked.input[name];
  }
  return alter(desk, release, checked.input as ReleaseChange);
}

/** Publishes a release or takes it back, as one write. */
async function askFor(desk: Desk, release: Release, isEnd: boolean): Promise<Answer> {
  const deed = releaseWrite(release.id, isEnd ? { end: true } : {});
  const sent = await sendWrite(desk, deed, [newFormId()]).catch(asFailed);
  if ('kind' in sent) {
    if (sent.kind === 'too-many') return releasePage(desk, release, sayTooMany(desk, sent));
    return tell(desk, release, 'failed');
  }
  const { outcome } = sent;
  if (outcome.kind !== 'bulk' || !outcome.applied) return tell(desk, release, 'releaseRefused');
  return tell(desk, release, isEnd ? 'releaseEnded' : 'releasePublished');
}

async function copy(desk: Desk, release: Release): Promise<Answer> {
  const { request } = desk;
  const name = request.say('releases.copyOf', { name: release.name }).slice(0, 100);
  const asked = { name, operations: release.operations, starts_at: null, ends_at: null };
  const { result } = await perform(createRelease, deskContext(desk), {
    ...asked,
    is_preview_open: false,
    confirmed_by: null,
  });
  return tell(desk, result, 'releaseSaved');
}

async function remove(desk: Desk, release: Release): Promise<Answer> {
  await removeRelease(desk.db, desk.request.tenantId, release.id);
  return tell(desk, release, 'releaseDeleted', RELEASES_PATH);
}

/** Leads to the page of the record of an operation, whose form saves into the release. */
async function edit(desk: Desk, release: Release, index: number): Promise<Answer> {
  const { request, db, now } = desk;
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
    await alterRelease(db, request.tenantId, release.id, named, null, now());
  }
  return redirectAnswer(request, editorPath(editor, null, key), cookies);
}

/** Does what a button asks for. @throws InvalidError */
async function act(desk: Desk, release: Release, form: Form): Promise<Answer> {
  const { request } = desk;
  const [action, index = ''] = form.text('do').split(':');
  switch (action) {
    case 'prepare':
      return redirectAnswer(request, '/admin/menu', [chooseCookie(request, release.id)]);
    case 'stop':
      return redirectAnswer(request, '/admin/menu', [chooseCookie(request, null)]);
    case 'publish':
    case 'end':
      return askFor(desk, release, action === 'end');
    case 'copy':
      return copy(desk, release);
    case 'delete':
      return remove(desk, release);
    case 'clear':
      return alter(desk, release, { operations: [] });
    case 'remove':
      return alter(desk, release, ({ operations }) => ({
        operations: operations.filter((_, at) => String(at) !== index),
      }));
    case 'edit':
      return edit(desk, release, Number(index));
    case 'link':
    case 'withdraw':
      return alter(desk, release, { is_preview_open: action === 'link' });
    default:
      return saveFields(desk, release, form);
  }
}

/** `POST /admin/releases/{id}` */
export async function changeReleaseByForm(desk: Desk): Promise<Answer> {
  const { request } = desk;
  const release = await findPathRecord(desk, findRelease);
  if (!release) return notFoundPage(desk);
  const form = await readForm(request.context);
  if (!isOwnForm(request, form.text('form_token'))) {
    return releasePage(desk, release, staleForm(request));
  }
  try {
    return await act(desk, release, form);
  } catch (error) {
    if (error instanceof InvalidError) return refuse(desk, release, error.errors);
    throw error;
  }
}
