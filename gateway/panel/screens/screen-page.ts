import { ensureBundleKeys } from '../../../db/actions/bundle-keys.ts';
import { changeScreen } from '../../../db/actions/screens.ts';
import { BUNDLE_FORMS, type BundleForm } from '../../../db/bundle/forms.ts';
import { constants } from '../../../db/runtime/constants.ts';
import { screenChange } from '../../../db/schema/screen.ts';
import { checkInput } from '../../../db/schema/validation/check-input.ts';
import type { FieldErrors } from '../../../db/schema/validation/rule.ts';
import { deleteScreen, findScreen, type Screen, showScreenName } from '../../../db/sql/screens.ts';
import { findTenantVersion } from '../../../db/sql/tenants.ts';
import type { Answer } from '../../http/answer.ts';
import { InvalidError } from '../../http/errors.ts';
import { type Content, html } from '../../http/html.ts';
import { type Desk, findPathRecord } from '../desk.ts';
import { readForm } from '../form.ts';
import { actionForm, hiddenFields, notice, refusal, staleForm } from '../pages/fields.ts';
import { gonePage } from '../pages/message-page.ts';
import { deskPage, redirectAnswer } from '../pages/page.ts';
import { isOwnForm } from '../panel-request.ts';
import { sayErrorLine } from '../texts/choose.ts';
import {
  readScreenDraft,
  type ScreenDraft,
  screenFacts,
  screenFields,
  screenState,
} from './screen-form.ts';
import { SCREENS_PATH } from './screens-page.ts';

const pathOf = (id: number) => `${SCREENS_PATH}/${id}`;

function draftOf(screen: Screen): ScreenDraft {
  return {
    name: screen.name,
    section_ids: screen.section_ids.map(String),
    languages: screen.languages,
    page_seconds: screen.page_seconds === null ? '' : String(screen.page_seconds),
    columns: screen.columns === null ? '' : String(screen.columns),
    orientation: screen.orientation,
    text_size: screen.text_size,
    hide_sold_out: screen.hide_sold_out ? '1' : '0',
    tells_away: screen.tells_away ? '1' : '0',
    part: String(screen.part),
    parts: String(screen.parts),
  };
}

const gone = (desk: Desk) => gonePage(desk, desk.request.say('screens.gone'), 'screens');

interface PageState {
  draft?: ScreenDraft;
  errors?: FieldErrors;
  notice?: Content;
  status?: string;
}

async function screenPage(desk: Desk, screen: Screen, state: PageState = {}): Promise<Answer> {
  const { db, request } = desk;
  const { say, tenantId } = request;
  const { draft = draftOf(screen), errors = {}, notice: message = null, status } = state;
  const latest = await findTenantVersion(db, tenantId);
  const { id, name } = screen;
  const content = html`<div class="opening"><h1 dir="auto">${name}</h1><p class="intro">${screenState(desk, screen)}</p></div>
${message}
<section class="card part">${screenFacts(desk, screen, latest)}
${actionForm(request, pathOf(id), 'name', html`<button class="button">${say('screens.showName')}</button>`)}</section>
<section class="card part"><form method="post" action="${pathOf(id)}" class="screen" novalidate>${hiddenFields(request)}<input type="hidden" name="do" value="save">
${await screenFields(desk, draft, errors)}
<button class="main">${say('screens.save')}</button></form></section>
${await stickCard(desk, id)}
<section class="card part"><p>${say('screens.removeEffect')}</p>
${actionForm(request, pathOf(id), 'remove', html`<button class="bad main">${say('screens.remove')}</button>`)}</section>
<p class="row"><a class="button" href="${SCREENS_PATH}">${say('screens.title')}</a></p>`;
  return deskPage(desk, { status, title: name, content, place: 'screens' });
}

/** The files that a screen without network needs, and the key by which people check them. */
async function stickCard({ db, request }: Desk, id: number): Promise<Content> {
  const { say, tenantId } = request;
  const { key } = await ensureBundleKeys(db, tenantId);
  const link = (form: BundleForm, text: string) =>
    html`<p class="row"><a class="button" href="${pathOf(id)}/bundle?as=${form}" download>${text}</a></p>`;
  return html`<section class="card part" aria-labelledby="stick"><h2 id="stick">${say('stick.title')}</h2>
<p>${say('stick.intro', { days: constants.bundleDays })}</p>
${link('html', say('stick.download'))}
<p>${say('stick.signedIntro')}</p>
${link('lavagna', say('stick.downloadSigned'))}
<p class="hint">${say('stick.fingerprint')}: <code translate="no">${key.id}</code></p>
<pre tabindex="0" dir="ltr"><code translate="no">${key.text}</code></pre></section>`;
}

/** `GET /admin/screens/{id}/bundle`: the menu for a stick, as a file. */
export async function downloadBundle(desk: Desk): Promise<Answer> {
  const { bundles, request } = desk;
  const screen = await findPathRecord(desk, findScreen);
  if (!screen) return gone(desk);
  const asked = new URLSearchParams(request.context.query).get('as');
  const form = BUNDLE_FORMS.find((one) => one === asked) ?? 'html';
  return bundles.make(request.context.restaurant.tenant, screen, form);
}

/** `GET /admin/screens/{id}` */
export async function showScreen(desk: Desk): Promise<Answer> {
  const { context, say } = desk.request;
  const screen = await findPathRecord(desk, findScreen);
  if (!screen) return gone(desk);
  const query = new URLSearchParams(context.query);
  const text = query.has('saved')
    ? say('screens.saved')
    : query.has('named') && say('screens.nameShown');
  return screenPage(desk, screen, { notice: text && notice('good', text) });
}

/** @throws InvalidError */
async function saveSettings(desk: Desk, id: number, draft: ScreenDraft): Promise<void> {
  const { db, request } = desk;
  const { tenantId, brand } = request;
  const checked = checkInput(screenChange, { ...draft });
  if ('errors' in checked) throw new InvalidError(checked.errors);
  await changeScreen(db, tenantId, id, checked.input, brand.locales);
}

/** `POST /admin/screens/{id}`: whatever a form of the screen's page asks for. */
export async function changeScreenByForm(desk: Desk): Promise<Answer> {
  const { db, request } = desk;
  const { say, tenantId } = request;
  const form = await readForm(request.context);
  const screen = await findPathRecord(desk, findScreen);
  if (!screen) return gone(desk);
  const { id } = screen;
  if (!isOwnForm(request, form.text('form_token'))) {
    return screenPage(desk, screen, staleForm(request));
  }
  switch (form.text('do')) {
    case 'name':
      await showScreenName(db, tenantId, id);
      return redirectAnswer(request, `${pathOf(id)}?named=1`);
    case 'remove':
      await deleteScreen(db, tenantId, id);
      return redirectAnswer(request, `${SCREENS_PATH}?removed=1`);
    default:
  }
  const draft = readScreenDraft(form);
  try {
    await saveSettings(desk, id, draft);
    return redirectAnswer(request, `${pathOf(id)}?saved=1`);
  } catch (error) {
    if (!(error instanceof InvalidError)) throw error;
    const { errors } = error;
    return screenPage(desk, screen, { ...refusal(sayErrorLine(say, errors)), draft, errors });
  }
}
