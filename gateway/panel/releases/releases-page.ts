import { createRelease } from '../../../db/actions/releases.ts';
import { constants } from '../../../db/runtime/constants.ts';
import type { Release } from '../../../db/schema/release.ts';
import { parseRecordId } from '../../../db/schema/values/record-id.ts';
import { listReleases } from '../../../db/sql/releases.ts';
import { drawReleasePreview } from '../../display/release-preview.ts';
import type { Answer } from '../../http/answer.ts';
import { InvalidError, UnavailableError } from '../../http/errors.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import { chooseCookie, RELEASES_PATH, releasePath } from '../chosen-release.ts';
import type { Desk } from '../desk.ts';
import { readForm } from '../form.ts';
import { hiddenFields, labelled, refusal, staleForm } from '../pages/fields.ts';
import { createCard, listPage, listSection } from '../pages/list-page.ts';
import { messagePage } from '../pages/message-page.ts';
import { momentText } from '../pages/moment.ts';
import { redirectAnswer } from '../pages/page.ts';
import { isOwnForm } from '../panel-request.ts';
import { performForm, sayFields } from '../perform-form.ts';
import { notFoundPage } from '../records/show-record.ts';
import { isFormId, newFormId, toldNotice } from '../writes/told.ts';

/** When a release begins and ends, in words. */
export function spanText(desk: Desk, { starts_at: start, ends_at: end }: Release): string {
  const { say } = desk.request;
  const parts = [
    start && say('releases.from', { at: momentText(desk, start) }),
    end && say('releases.until', { at: momentText(desk, end) }),
  ];
  return parts.filter(Boolean).join(' ');
}

/** Says how much of a release does not fit. */
export function troubleTag({ request }: Desk, { state, problems }: Release): Content {
  if (problems.length === 0 || state === 'live' || state === 'ended') return null;
  return html`<span class="tag bad">${request.say('releases.trouble', { n: problems.length })}</span>`;
}

function releaseItem(desk: Desk, release: Release): Html {
  const { say } = desk.request;
  const { name, state, operations } = release;
  const span = spanText(desk, release);
  return html`<li class="token"><div class="token-head"><h3><a href="${releasePath(release)}" dir="auto">${name}</a></h3><span class="state ${state}">${say(`releases.states.${state}`)}</span></div>
<p class="hint">${say('releases.count', { n: operations.length })}${span !== '' && html` · ${span}`}</p>
${troubleTag(desk, release)}</li>`;
}

async function releasesPage(
  desk: Desk,
  { status, notice: said, error }: { status?: string; notice?: Html; error?: string } = {},
): Promise<Answer> {
  const { db, request } = desk;
  const { say } = request;
  const all = await listReleases(db, request.tenantId);
  const name = html`<input id="name" name="name" type="text" maxlength="100" autocomplete="off" aria-describedby="name-hint${error === undefined ? '' : ' name-error'}" aria-invalid="${error === undefined ? 'false' : 'true'}">`;
  const texts = { label: say('releases.name'), hint: say('releases.nameHint'), error };
  const create = html`<form method="post" action="${RELEASES_PATH}" novalidate>${hiddenFields(request)}<input type="hidden" name="form_id" value="${newFormId()}">
${labelled('name', texts, name)}<button class="main wide">${say('releases.create')}</button></form>`;
  const items = all.map((one) => releaseItem(desk, one));
  return listPage(desk, {
    status,
    title: say('places.releases'),
    intro: say('releases.intro'),
    notice: said ?? (await toldNotice(desk)),
    create: createCard(say('releases.new'), create),
    list: listSection(say('releases.list'), items, say('releases.empty')),
    place: 'releases',
  });
}

/** `GET /admin/releases` */
export function showReleases(desk: Desk): Promise<Answer> {
  return releasesPage(desk);
}

const INVALID = '422 Unprocessable Content';

/** `POST /admin/releases`: makes a release, into which the browser saves from now on. */
export async function createReleaseByForm(desk: Desk): Promise<Answer> {
  const { request } = desk;
  const { say } = request;
  const form = await readForm(request.context);
  const formId = form.text('form_id');
  if (!isOwnForm(request, form.text('form_token')) || !isFormId(formId)) {
    return releasesPage(desk, staleForm(request));
  }
  const asked = { name: form.text('name'), is_preview_open: false };
  try {
    const { result } = await performForm(desk, createRelease, asked, formId);
    return redirectAnswer(request, releasePath(result), [chooseCookie(request, result.id)]);
  } catch (error) {
    if (!(error instanceof InvalidError)) throw error;
    const texts = sayFields(
      say,
      error.errors,
      { releases: 'releases.full' },
      { n: constants.maxReleases },
    );
    if (texts.name === undefined) return releasesPage(desk, refusal(texts.releases ?? ''));
    return releasesPage(desk, { status: INVALID, error: texts.name });
  }
}

/** `GET /admin/releases/{id}/preview`: the menu as guests will see it. */
export async function showReleasePreview(desk: Desk): Promise<Answer> {
  const { request, store, session } = desk;
  const { context, say } = request;
  const id = parseRecordId(context.param);
  const snapshot = await store.find(context.front.tenant.slug, null);
  if (id === null || !snapshot) return notFoundPage(desk);
  try {
    const drawn = await drawReleasePreview(desk, snapshot.tenant, { id }, context);
    return drawn ?? notFoundPage(desk);
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    const text = say('releases.wait');
    return messagePage(request, '503 Service Unavailable', text, text, session, 'releases');
  }
}
