import type { Logger } from 'pino';
import type { Constants } from '../db/runtime/constants.ts';
import type { Answer } from './http/answer.ts';
import type { Asset } from './http/asset.ts';
import { type ClientNetwork, clientSite } from './http/client-address.ts';
import { selectAnswer } from './http/representations.ts';
import { createMinuteBound } from './limits/minute-bound.ts';
import { ACCOUNT_PATH } from './panel/account/account-page.ts';
import { createChangeAccount, showAccount } from './panel/account/change-account.ts';
import { sendForgotten, showForgotten } from './panel/account/forgotten-page.ts';
import { showLink, useLink } from './panel/account/link-page.ts';
import { changePasskeys, signInByPasskey } from './panel/account/passkey-routes.ts';
import { deskCss, panelJs, panelStyles, signInCss } from './panel/assets.ts';
import { brandOf } from './panel/brand.ts';
import { findChosen, RELEASES_PATH } from './panel/chosen-release.ts';
import type { Desk, DeskOptions } from './panel/desk.ts';
import { changeBack, showEntry } from './panel/history/entry-page.ts';
import { showHistory } from './panel/history/history-page.ts';
import { HISTORY_PATH } from './panel/history/read-filter.ts';
import { showHome } from './panel/home/home-page.ts';
import { changeHosts, HOSTS_PATH, showHosts } from './panel/hosts/hosts-page.ts';
import { EXPORT_PATH, IMPORT_PATH, sendExport, showImport } from './panel/import/import-page.ts';
import { runImport } from './panel/import/run-import.ts';

import { changeMenu } from './panel/menu/change-menu.ts';
import { menuPage } from './panel/menu/menu-page.ts';
import {
  failurePage,
  forbiddenPage,
  mistakePage,
  tooManyPages,
} from './panel/pages/message-page.ts';
import { redirectAnswer } from './panel/pages/page.ts';
import { addressOf, isPanelPath } from './panel/panel-path.ts';
import { type PanelRequest, readPanelRequest } from './panel/panel-request.ts';
import { invitePerson, PEOPLE_PATH, showPeople } from './panel/people/people-page.ts';
import { changePersonByForm, showPerson } from './panel/people/person-page.ts';
import { firstPage, mayOpen } from './panel/permission.ts';
import { PHOTOS_PATH, showPhotos, uploadPhotos } from './panel/photos/photos-page.ts';
import { endedPreview, showPreview } from './panel/preview/show-preview.ts';
import { sendQr, showPrint, showQr } from './panel/qr/qr-page.ts';
import { DELETED_PATH, restoreDeleted, showDeleted } from './panel/records/deleted-page.ts';
import { EDITORS } from './panel/records/editor.ts';
import { hasPreview, previewPath } from './panel/records/preview-part.ts';
import { changeList, isListed, showList } from './panel/records/record-list.ts';
import { saveRecord } from './panel/records/save-record.ts';
import { showRecord } from './panel/records/show-record.ts';
import { changeReleaseByForm } from './panel/releases/change-by-form.ts';
import { showReleasePage } from './panel/releases/release-page.ts';
import {
  createReleaseByForm,
  showReleasePreview,
  showReleases,
} from './panel/releases/releases-page.ts';
import { changeScreenByForm, showScreen } from './panel/screens/screen-page.ts';
import { connectScreen, SCREENS_PATH, showScreens } from './panel/screens/screens-page.ts';
import { changeService, SERVICE_PATH, showService } from './panel/service/service-page.ts';
import { refuseForeignForm, askToSignIn, createResume } from './panel/sign-in/interrupted.ts';
import { createPasswordChecks, type PasswordChecks } from './panel/sign-in/password-checks.ts';
import { findSession } from './panel/sign-in/sessions.ts';
import { showSignIn, signIn, signOut } from './panel/sign-in/sign-in.ts';
import { chooseLanguage, showPasskeySignIn } from './panel/sign-in/sign-in-page.ts';
import { showStatistics } from './panel/statistics/statistics-page.ts';
import { askToRevoke, revoke } from './panel/tokens/revocation.ts';
import { createTokenFromForm, showTokens } from './panel/tokens/tokens.ts';
import { TRANSLATIONS_PATH } from './panel/translations/read-translations.ts';
import { changeTranslations } from './panel/translations/save-translations.ts';
import { showTranslations } from './panel/translations/translations-page.ts';
import { WEBHOOKS_PATH } from './panel/webhooks/webhook-fields.ts';
import { changeWebhookByForm, showWebhook } from './panel/webhooks/webhook-page.ts';
import { createWebhookByForm, showWebhooks } from './panel/webhooks/webhooks-page.ts';
import { undoChange } from './panel/writes/undo.ts';
import type { FrontContext, FrontRoute } from './pipeline/route.ts';

export interface PanelOptions extends Omit<DeskOptions, 'bound'> {
  log: Logger;
}

type PanelCosts = Pick<Constants, 'dearPageCost' | 'formCost' | 'pageCost'>;
type RequestHandler = (request: PanelRequest) => Promise<Answer>;
type DeskHandler = (desk: Desk) => Promise<Answer>;

function assetRoute(path: string, find: (context: FrontContext) => Asset): FrontRoute {
  const call = (context: FrontContext) => {
    const version = new URLSearchParams(context.query).get('v') ?? '';
    return selectAnswer(find(context).read(version), context);
  };
  return { kind: 'front', method: 'GET', path, call };
}

const assetRoutes = [
  assetRoute('/admin/panel.css', () => panelStyles),
  assetRoute('/admin/sign-in.css', () => signInCss),
  assetRoute('/admin/desk.css', () => deskCss),
  assetRoute('/admin/panel.js', () => panelJs),
  assetRoute('/admin/theme.css', ({ front }) => brandOf(front).stylesheet),
  assetRoute('/admin/icon.svg', ({ front }) => brandOf(front).icon),
];

/** The pages of those who have signed in, but for the previews. */
const DESK_PAGES: readonly (readonly ['GET' | 'POST', string, DeskHandler])[] = [
  ['GET', '/admin', showHome],
  ['GET', '/admin/menu', menuPage],
  ['POST', '/admin/menu', changeMenu],
  ['POST', '/admin/menu/undo', undoChange],
  ...EDITORS.flatMap((editor) => [
    ['GET', editor.path, (desk: Desk) => showRecord(desk, editor)] as const,
    ['POST', editor.path, (desk: Desk) => saveRecord(desk, editor)] as const,
  ]),
  ['GET', PHOTOS_PATH, showPhotos],
  ['POST', PHOTOS_PATH, uploadPhotos],
  ['GET', IMPORT_PATH, showImport],
  ['POST', IMPORT_PATH, runImport],
  ['GET', EXPORT_PATH, sendExport],
  ...EDITORS.filter(isListed).flatMap((editor) => [
    ['GET', editor.list.path, (desk: Desk) => showList(desk, editor)] as const,
    ['POST', editor.list.path, (desk: Desk) => changeList(desk, editor)] as const,
  ]),
  ['GET', RELEASES_PATH, showReleases],
  ['POST', RELEASES_PATH, createReleaseByForm],
  ['GET', `${RELEASES_PATH}/:id`, showReleasePage],
  ['POST', `${RELEASES_PATH}/:id`, changeReleaseByForm],
  ['GET', `${RELEASES_PATH}/:id/preview`, showReleasePreview],
  ['GET', HISTORY_PATH, showHistory],
  ['GET', `${HISTORY_PATH}/:id`, showEntry],
  ['POST', `${HISTORY_PATH}/:id`, changeBack],
  ['GET', DELETED_PATH, showDeleted],
  ['POST', DELETED_PATH, restoreDeleted],
  ['GET', '/admin/statistics', showStatistics],
  ['GET', '/admin/qr', showQr],
  ['GET', '/admin/qr.svg', sendQr],
  ['GET', '/admin/qr.png', sendQr],
  ['GET', '/admin/print', showPrint],
  ['GET', SCREENS_PATH, showScreens],
  ['POST', SCREENS_PATH, connectScreen],
  ['GET', `${SCREENS_PATH}/:id`, showScreen],
  ['POST', `${SCREENS_PATH}/:id`, changeScreenByForm],
  ['GET', TRANSLATIONS_PATH, showTranslations],
  ['POST', TRANSLATIONS_PATH, changeTranslations],
  ['GET', SERVICE_PATH, showService],
  ['POST', SERVICE_PATH, changeService],
  ['GET', PEOPLE_PATH, showPeople],
  ['POST', PEOPLE_PATH, invitePerson],
  ['GET', `${PEOPLE_PATH}/:id`, showPerson],
  ['POST', `${PEOPLE_PATH}/:id`, changePersonByForm],
  ['GET', WEBHOOKS_PATH, showWebhooks],
  ['POST', WEBHOOKS_PATH, createWebhookByForm],
  ['GET', `${WEBHOOKS_PATH}/:id`, showWebhook],
  ['POST', `${WEBHOOKS_PATH}/:id`, changeWebhookByForm],
  ['GET', HOSTS_PATH, showHosts],
  ['POST', HOSTS_PATH, changeHosts],
  ['GET', '/admin/api-tokens', showTokens],
  ['POST', '/admin/api-tokens', createTokenFromForm],
  ['GET', '/admin/api-tokens/:id/revoke', askToRevoke],
  ['POST', '/admin/api-tokens/:id/revoke', revoke],
];

type Page = (method: 'GET' | 'POST', path: string, handle: RequestHandler) => FrontRoute;

/** Pages of people's own accounts, with and without a session. */
function createAccountRoutes(
  options: PanelOptions,
  checks: PasswordChecks,
  page: Page,
  atDesk: (handle: DeskHandler) => RequestHandler,
): FrontRoute[] {
  const { db } = options;
  return [
    page('GET', ACCOUNT_PATH, atDesk(showAccount)),
    page('POST', ACCOUNT_PATH, atDesk(createChangeAccount(checks))),
    page('POST', `${ACCOUNT_PATH}/passkeys`, atDesk(changePasskeys)),
    page('GET', '/admin/sign-in/passkey', showPasskeySignIn),
    page('POST', '/admin/sign-in/passkey', (request) => signInByPasskey({ db }, request)),
    page('GET', '/admin/link/:secret', (request) => showLink({ db, checks }, request)),
    page('POST', '/admin/link/:secret', (request) => useLink({ db, checks }, request)),
    page('GET', '/admin/forgotten', (request) => showForgotten(options, request)),
    page('POST', '/admin/forgotten', (request) => sendForgotten(options, request)),
  ];
}

/** Pages that read or pack a whole menu, or years of statistics. */
const DEAR_PATHS = [
  ...[EXPORT_PATH, IMPORT_PATH, TRANSLATIONS_PATH],
  ...['/admin/statistics', '/admin/qr.png'],
];

/** The share of a request in `maxPanelCost`. */
function costOf(method: 'GET' | 'POST', path: string, constants: PanelCosts): number {
  const isForm = method === 'POST';
  if (DEAR_PATHS.includes(path) && (isForm || path !== IMPORT_PATH)) return constants.dearPageCost;
  return isForm ? constants.formCost : constants.pageCost;
}

/** For somebody without a session: the way to the sign-in page. */
async function sendToSignIn(request: PanelRequest): Promise<Answer> {
  if (request.context.method === 'post') return askToSignIn(request);
  const { path, query } = request.context;
  const isPage = isPanelPath(addressOf(request.context));
  const next = query === '' ? path : path + encodeURIComponent(`?${query}`);
  return redirectAnswer(request, `/admin/sign-in${isPage ? `?next=${next}` : ''}`);
}

/** The panel's pages, below `{tenant_url}/admin`. */
export function createPanelRoutes(options: PanelOptions): FrontRoute[] {
  const { db, log, constants, now } = options;
  const { maxPanelWrites, maxPanelWindows, maxPanelCost } = constants;
  const bound = createMinuteBound<number>(maxPanelWrites, maxPanelWindows, now);
  const costs = createMinuteBound<ClientNetwork>(maxPanelCost, maxPanelWindows, now);

  const checks = createPasswordChecks(constants);
  const signInOptions = { db, checks, resume: createResume({ ...options, bound }) };

  const page: Page = (method, path, handle) => ({
    kind: 'front',
    method,
    path,
    call: async (context) => {
      const request = readPanelRequest(context);
      const wait = costs.take(clientSite(context.client), costOf(method, path, constants));
      if (wait > 0) return tooManyPages(request, wait);
      try {
        if (request.source === 'foreign') return await refuseForeignForm(options, request);
        return await handle(request);
      } catch (error) {
        const mistake = mistakePage(request, error);
        if (mistake) return mistake;
        log.error(
          { err: error, path: context.path, error_id: context.id },
          'a page of the panel failed',
        );
        return failurePage(request, error);
      }
    },
  });
  const atDesk =
    (handle: DeskHandler, orElse: RequestHandler = sendToSignIn): RequestHandler =>
    async (request) => {
      const isForm = request.context.method === 'post';
      let session = await findSession(db, request);
      if (session && isForm) {
        // It may take minutes, and the session may end meanwhile. A stranger's is not waited for.
        // The page itself says what is wrong with a body that is refused.
        await request.context.body.catch(() => undefined);
        session = await findSession(db, request);
      }
      if (!session) return orElse(request);
      const { path } = request.context;
      if (mayOpen(session.role, path)) {
        const chosen = await findChosen(db, request);
        return handle({ ...options, bound, request, session, chosen });
      }
      // The way to the panel leads everybody to their own first page.
      const first = firstPage(session.role);
      if (path === '/admin' && !isForm) return redirectAnswer(request, first);
      return forbiddenPage(request, session);
    };
  const accountRoutes = createAccountRoutes(options, checks, page, atDesk);
  const deskRoutes = DESK_PAGES.map(([method, path, handle]) => page(method, path, atDesk(handle)));
  const previewRoutes = EDITORS.filter(hasPreview).flatMap((editor) => {
    const path = previewPath(editor);
    const call = atDesk((desk) => showPreview(desk, editor), endedPreview);
    return [page('GET', path, call), page('POST', path, call)];
  });

  return [
    ...deskRoutes,
    ...accountRoutes,
    ...previewRoutes,
    page('GET', '/admin/sign-in', (request) => showSignIn(signInOptions, request)),
    page('POST', '/admin/sign-in', (request) => signIn(signInOptions, request)),
    page('POST', '/admin/sign-out', (request) => signOut(signInOptions, request)),
    page('POST', '/admin/language', (request) => chooseLanguage(request)),
    ...assetRoutes,
  ];
}
