import { createRelease } from '../../../db/actions/releases.ts';
import { constants } from '../../../db/runtime/constants.ts';
import type { Release } from '../../../db/schema/release.ts';
import { parseRecordId } from '../../../db/schema/values/record-id.ts';
import { listReleases } from '../../../db/sql/releases.ts';
import { drawReleasePreview } from '../../display/release-preview.ts';
import type { Answer } from '../../http/answer.ts';
import { UnavailableError } from '../../http/errors.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import { chooseCookie, RELEASES_PATH, releasePath } from '../chosen-release.ts';
import type { Desk } from '../desk.ts';
import { type ActionForm, actionFormOf, type FormState } from '../forms/action-form.ts';
import { createCard, listPage, listSection } from '../pages/list-page.ts';
import { messagePage } from '../pages/message-page.ts';
import { momentText } from '../pages/moment.ts';
import { redirectAnswer } from '../pages/page.ts';
import { notFoundPage } from '../records/show-record.ts';
import { messageNotice } from '../writes/message.ts';

/** When a release begins and ends, in words. */
export function spanText(desk: Desk, { starts_at: start, ends_at: end }: Release): string {
  const { say } = desk;
  const parts = [
    start && say('releases.from', { at: momentText(desk, start) }),
    end && say('releases.until', { at: momentText(desk, end) }),
  ];
  return parts.filter(Boolean).join(' ');
}

/** Says how much of a release does not fit. */
export function troubleTag({ say }: Desk, { state, problems }: Release): Content {
  if (problems.length === 0 || state === 'live' || state === 'ended') return null;
  return html`<span class="tag bad">${say('releases.trouble', { n: problems.length })}</span>`;
}

function releaseItem(desk: Desk, release: Release): Html {
  const { say } = desk;
  const { name, state, operations } = release;
  const span = spanText(desk, release);
  return html`<li class="token"><div class="token-head"><h3><a href="${releasePath(release)}" dir="auto">${name}</a></h3><span class="state ${state}">${say(`releases.states.${state}`)}</span></div>
<p class="hint">${say('releases.count', { n: operations.length })}${span !== '' && html` · ${span}`}</p>
${troubleTag(desk, release)}</li>`;
}

/** `GET /admin/releases` */
export async function releasesPage(desk: Desk, state: FormState = {}): Promise<Answer> {
  const { db, request, say, tenantId } = desk;
  const all = await listReleases(db, tenantId);
  const items = all.map((one) => releaseItem(desk, one));
  return listPage(
    desk,
    { ...state, notice: state.notice ?? (await messageNotice(desk)) },
    {
      title: say('places.releases'),
      create: createCard(say('releases.new'), actionFormOf(request, releaseForm, state)),
      list: listSection(say('releases.list'), items, say('releases.empty')),
      place: 'releases',
    },
  );
}

/** `POST /admin/releases`: makes a release, into which the browser saves from now on. */
export const releaseForm: ActionForm<typeof createRelease.input, Release> = {
  action: createRelease,
  path: RELEASES_PATH,
  fields: [{ kind: 'text', name: 'name', label: 'releases.name', hint: 'releases.nameHint' }],
  submit: 'releases.create',
  texts: { releases: 'releases.full' },
  textValues: { n: constants.maxReleases },
  more: () => ({ is_preview_open: false }),
  page: releasesPage,
  done: ({ request }, { result }) =>
    redirectAnswer(request, releasePath(result), [chooseCookie(request, result.id)]),
};

/** `GET /admin/releases/{id}/preview`: the menu as guests will see it. */
export async function showReleasePreview(desk: Desk): Promise<Answer> {
  const { request, store, session, say } = desk;
  const { context } = request;
  const id = parseRecordId(context.param);
  const snapshot = await store.find(context.restaurant.tenant.slug, null);
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
