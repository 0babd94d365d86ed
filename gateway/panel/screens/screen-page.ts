import { ensureBundleKeys } from '../../../db/actions/bundle-keys.ts';
import { changeScreen } from '../../../db/actions/screens.ts';
import { BUNDLE_FORMS, type BundleForm } from '../../../db/bundle/forms.ts';
import { constants } from '../../../db/runtime/constants.ts';
import { screenChange } from '../../../db/schema/screen.ts';
import { deleteScreen, findScreen, type Screen, showScreenName } from '../../../db/sql/screens.ts';
import { findTenantVersion } from '../../../db/sql/tenants.ts';
import type { Answer } from '../../http/answer.ts';
import { type Content, html } from '../../http/html.ts';
import { byPath, type Desk } from '../desk.ts';
import {
  type FormState,
  formFields,
  formInput,
  formValues,
  readFormFields,
} from '../forms/action-form.ts';
import type { RecordPage } from '../forms/record-page.ts';
import { actionForm } from '../pages/fields.ts';
import { gonePage } from '../pages/message-page.ts';
import { nameHeading, redirectAnswer, titledPage } from '../pages/page.ts';
import { screenFacts, screenFields, screenState } from './screen-form.ts';
import { SCREENS_PATH } from './screens-page.ts';

const pathOf = (id: number) => `${SCREENS_PATH}/${id}`;

const gone = (desk: Desk) => gonePage(desk, desk.say('screens.gone'), 'screens');

async function page(desk: Desk, screen: Screen, state: FormState): Promise<Answer> {
  const { db, request, say, tenantId } = desk;
  const latest = await findTenantVersion(db, tenantId);
  const { id, name } = screen;
  const fields = formFields(say, await screenFields(desk), {
    values: formValues(screen),
    ...state,
  });
  const save = html`${fields}<button class="main">${say('screens.save')}</button>`;
  const content = html`<section class="card part">${screenFacts(desk, screen, latest)}
${actionForm(request, pathOf(id), 'name', html`<button class="button">${say('screens.showName')}</button>`)}</section>
<section class="card part">${actionForm(request, pathOf(id), 'save', save, true)}</section>
${await stickCard(desk, id)}
<section class="card part"><p>${say('screens.removeEffect')}</p>
${actionForm(request, pathOf(id), 'remove', html`<button class="bad main">${say('screens.remove')}</button>`)}</section>
<p class="row"><a class="button" href="${SCREENS_PATH}">${say('screens.title')}</a></p>`;
  const head = { state, title: name, heading: nameHeading(name), intro: screenState(desk, screen) };
  return titledPage(desk, { ...head, content, place: 'screens' });
}

/** `/admin/screens/{id}` */
export const screenPage: RecordPage<Screen> = {
  find: byPath(findScreen),
  gone,
  page,
  fields: screenFields,
  done: { saved: 'screens.saved', named: 'screens.nameShown' },
  acts: {
    name: async ({ db, tenantId }, { id }) => {
      await showScreenName(db, tenantId, id);
      return 'named';
    },
    save: async (desk, { id }, form) => {
      const { db, request, tenantId } = desk;
      // The form of a restaurant with one language names none.
      const sent = { languages: [], ...readFormFields(form, await screenFields(desk)) };
      await changeScreen(db, tenantId, id, formInput(screenChange, sent), request.brand.locales);
      return 'saved';
    },
    remove: async ({ db, request, tenantId }, { id }) => {
      await deleteScreen(db, tenantId, id);
      return redirectAnswer(request, `${SCREENS_PATH}?removed=1`);
    },
  },
};

/** The files that a screen without network needs, and the key by which people check them. */
async function stickCard({ db, say, tenantId }: Desk, id: number): Promise<Content> {
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
  const screen = await screenPage.find(desk);
  if (!screen) return gone(desk);
  const asked = new URLSearchParams(request.context.query).get('as');
  const form = BUNDLE_FORMS.find((one) => one === asked) ?? 'html';
  return bundles.make(request.context.restaurant.tenant, screen, form);
}
