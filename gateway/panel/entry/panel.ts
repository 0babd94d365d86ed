import type { Logger } from 'pino';
import { SessionEndedError } from '../../../db/actions/action.ts';
import type { InputSchema } from '../../../db/schema/validation/check-input.ts';
import type { Session } from '../../../db/sql/sessions.ts';
import type { Answer } from '../../http/answer.ts';
import type { Asset } from '../../http/asset.ts';
import { type ClientNetwork, clientSite } from '../../http/client-address.ts';
import { selectAnswer } from '../../http/representations.ts';
import { createMinuteBound } from '../../limits/minute-bound.ts';
import type { RestaurantContext, RestaurantRoute } from '../../pipeline/route.ts';
import { ACCOUNT_PATH } from '../account/account-page.ts';
import { accountPage } from '../account/change-account.ts';
import { sendForgotten, showForgotten, showLink, useLink } from '../account/link-page.ts';
import { changePasskeys, signInByPasskey } from '../account/passkeys.ts';
import { deskCss, panelJs, panelStyles, signInCss } from '../assets.ts';
import { brandOf } from '../brand.ts';
import {
  CHAIN_PATH,
  CHAIN_STATISTICS_PATH,
  DEVIATIONS_PATH,
  HOUSES_PATH,
  POLICY_PATH,
} from '../chain/chain.ts';
import { chainPage } from '../chain/chain-page.ts';
import { changeDeviations, sendDeviations, showDeviations } from '../chain/deviations-page.ts';
import { changeHouse, housePage, openHouseByForm } from '../chain/house-page.ts';
import { changePolicy, showPolicy } from '../chain/policy-page.ts';
import { showPublished } from '../chain/publish.ts';
import { sendHousesStatistics, showHousesStatistics } from '../chain/statistics-page.ts';
import { findChosen, RELEASES_PATH } from '../chosen-release.ts';
import { HOSTS_PATH, hostsPage } from '../connections/hosts-page.ts';
import { revokePage, showTokens, tokenForm } from '../connections/tokens.ts';
import { webhookPage } from '../connections/webhook-page.ts';
import { showWebhooks, WEBHOOKS_PATH, webhookForm } from '../connections/webhooks-page.ts';
import { type Desk, type DeskOptions, makeDesk } from '../desk.ts';
import { type ActionForm, answerForm } from '../forms/action-form.ts';
import { answerRecordPage, type RecordPage, showRecordPage } from '../forms/record-page.ts';
import { showPrint } from '../guests/print-page.ts';
import { sendQr, showQr } from '../guests/qr-page.ts';
import { showStatistics } from '../guests/statistics-page.ts';
import { changeBack, showEntry } from '../history/entry-page.ts';
import { showHistory } from '../history/history-page.ts';
import { HISTORY_PATH } from '../history/story.ts';
import {
  EXCHANGE_FILE_PATH,
  EXCHANGE_PATH,
  sendExchange,
  showExchange,
} from '../import/exchange-page.ts';
import { EXPORT_PATH, IMPORT_PATH, sendExport, showImport } from '../import/import-page.ts';
import { runImport } from '../import/run-import.ts';
import { showChecklist } from '../law/checklist-page.ts';
import { changeFill, showFill } from '../law/fill-page.ts';
import { sendInspectionRecord, showInspectionRecord } from '../law/inspection-record.ts';
import { CHECKLIST_PATH } from '../law/read-checklist.ts';
import { changeMenu } from '../menu/change-menu.ts';
import { menuPage } from '../menu/menu-page.ts';
import { addressOf, isPanelPath } from '../navigation.ts';
import {
  failurePage,
  forbiddenPage,
  messagePage,
  mistakePage,
  suspendedPage,
  tooManyPages,
} from '../pages/message-page.ts';
import { redirectAnswer } from '../pages/page.ts';
import { type PanelRequest, readPanelRequest } from '../panel-request.ts';
import { createPasswordChecks } from '../password-checks.ts';
import { inviteForm, PEOPLE_PATH, showPeople } from '../people/people-page.ts';
import { personPage } from '../people/person-page.ts';
import { firstPage, mayOpen, pagePart } from '../permission.ts';
import { PHOTOS_PATH, showPhotos, uploadPhotos } from '../photos/photos-page.ts';
import { DELETED_PATH, restoreDeleted, showDeleted } from '../records/deleted-page.ts';
import { EDITORS, hasPreview, previewPath } from '../records/editor.ts';
import { changeList, isListed, showList } from '../records/record-list.ts';
import { saveRecord } from '../records/save-record.ts';
import { endedPreview, showPreview } from '../records/show-preview.ts';
import { showRecord } from '../records/show-record.ts';
import { releasePage } from '../releases/change-by-form.ts';
import { releaseForm, releasesPage, showReleasePreview } from '../releases/releases-page.ts';
import { downloadBundle, screenPage } from '../screens/screen-page.ts';
import { SCREENS_PATH, screenForm, showScreens } from '../screens/screens-page.ts';
import { changeService, SERVICE_PATH, showService } from '../service/service-page.ts';
import { askToSignIn, createResume, refuseForeignForm } from '../sign-in/interrupted.ts';
import { findSession } from '../sign-in/sessions.ts';
import { showSignIn, signIn, signOut } from '../sign-in/sign-in.ts';
import { chooseLanguage, showPasskeySignIn } from '../sign-in/sign-in-page.ts';
import { changeTranslations } from '../translations/save-translations.ts';
import { TRANSLATIONS_PATH, translationsPage } from '../translations/translations-page.ts';
import { followLate, showLate } from '../writes/late.ts';
import { undoChange } from '../writes/message.ts';
import { showHome } from './home-page.ts';

/** Cost of a page, of a form, and of a page that reads a whole menu or years of statistics. */
const PAGE_COST = 2;
const FORM_COST = 5;
const DEAR_PAGE_COST = 50;

export interface PanelOptions extends Omit<DeskOptions, 'bound' | 'checks'> {
  log: Logger;
}

type RequestHandler = (request: PanelRequest) => Promise<Answer>;
type DeskHandler = (desk: Desk) => Promise<Answer>;

/** The parts that pages need, with and without a session. */
interface Panel extends DeskOptions {
  log: Logger;
  resume: ReturnType<typeof createResume>;
  /** A page for those who have signed in; others get the way to the sign-in page, or `orElse`. */
  atDesk(handle: DeskHandler, orElse?: RequestHandler): RequestHandler;
}

/** A page: method, path and how it is handled. */
type PanelPage = readonly ['GET' | 'POST', string, (panel: Panel) => RequestHandler];

const desk =
  (handle: DeskHandler, orElse?: RequestHandler): PanelPage[2] =>
  ({ atDesk }) =>
    atDesk(handle, orElse);

const form = <S extends InputSchema, R>(one: ActionForm<S, R>) => desk((at) => answerForm(at, one));

const open =
  (handle: (panel: Panel, request: PanelRequest) => Promise<Answer>): PanelPage[2] =>
  (panel) =>
  (request) =>
    handle(panel, request);

/** A page about a record or a list of them, and what its forms do. */
const record = <T>(path: string, page: RecordPage<T>) =>
  both(
    path,
    desk((at) => showRecordPage(at, page)),
    desk((at) => answerRecordPage(at, page)),
  );

const both = (path: string, show: PanelPage[2], change: PanelPage[2]): readonly PanelPage[] => [
  ['GET', path, show],
  ['POST', path, change],
];

function assetRoute(path: string, find: (context: RestaurantContext) => Asset): RestaurantRoute {
  const call = (context: RestaurantContext) => {
    const version = new URLSearchParams(context.query).get('v') ?? '';
    return selectAnswer(find(context).read(version), context);
  };
  return { kind: 'restaurant', method: 'GET', path, call };
}

const assetRoutes = [
  assetRoute('/admin/panel.css', () => panelStyles),
  assetRoute('/admin/sign-in.css', () => signInCss),
  assetRoute('/admin/desk.css', () => deskCss),
  assetRoute('/admin/panel.js', () => panelJs),
  assetRoute('/admin/theme.css', ({ restaurant }) => brandOf(restaurant).stylesheet),
  assetRoute('/admin/icon.svg', ({ restaurant }) => brandOf(restaurant).icon),
];

/** Every page: `desk` for those who have signed in, `open` for everybody. */
const PAGES: readonly PanelPage[] = [
  ['GET', '/admin', desk(showHome)],
  ...both('/admin/menu', desk(menuPage), desk(changeMenu)),
  ['POST', '/admin/menu/undo', desk(undoChange)],
  ...EDITORS.flatMap((editor) =>
    both(
      editor.path,
      desk((at) => showRecord(at, editor)),
      desk((at) => saveRecord(at, editor)),
    ),
  ),
  ...both(PHOTOS_PATH, desk(showPhotos), desk(uploadPhotos)),
  ...both(IMPORT_PATH, desk(showImport), desk(runImport)),
  ['GET', EXPORT_PATH, desk(sendExport)],
  ['GET', EXCHANGE_PATH, desk(showExchange)],
  ['GET', EXCHANGE_FILE_PATH, desk(sendExchange)],
  ...EDITORS.filter(isListed).flatMap((editor) => [
    ['GET', editor.list.path, desk((at) => showList(at, editor))] as const,
    ['POST', editor.list.path, desk((at) => changeList(at, editor))] as const,
  ]),
  ...both(RELEASES_PATH, desk(releasesPage), form(releaseForm)),
  ...record(`${RELEASES_PATH}/:id`, releasePage),
  ['GET', `${RELEASES_PATH}/:id/preview`, desk(showReleasePreview)],
  ['GET', HISTORY_PATH, desk(showHistory)],
  ...both(`${HISTORY_PATH}/:id`, desk(showEntry), desk(changeBack)),
  ...both(DELETED_PATH, desk(showDeleted), desk(restoreDeleted)),
  ['GET', '/admin/statistics', desk(showStatistics)],
  ['GET', '/admin/qr', desk(showQr)],
  ['GET', '/admin/qr.svg', desk(sendQr)],
  ['GET', '/admin/qr.png', desk(sendQr)],
  ['GET', '/admin/print', desk(showPrint)],
  ...both(SCREENS_PATH, desk(showScreens), form(screenForm)),
  ...record(`${SCREENS_PATH}/:id`, screenPage),
  ['GET', `${SCREENS_PATH}/:id/bundle`, desk(downloadBundle)],
  ['GET', CHECKLIST_PATH, desk(showChecklist)],
  ...both(`${CHECKLIST_PATH}/fill`, desk(showFill), desk(changeFill)),
  ['GET', `${CHECKLIST_PATH}/record`, desk(showInspectionRecord)],
  ['GET', `${CHECKLIST_PATH}/record.csv`, desk(sendInspectionRecord)],
  ...both(TRANSLATIONS_PATH, desk(translationsPage), desk(changeTranslations)),
  ...both(SERVICE_PATH, desk(showService), desk(changeService)),
  ...record(CHAIN_PATH, chainPage),
  ['GET', `${CHAIN_PATH}/published`, desk(showPublished)],
  ...both(POLICY_PATH, desk(showPolicy), desk(changePolicy)),
  ...both(`${HOUSES_PATH}/:id`, desk(housePage), desk(changeHouse)),
  ['POST', `${HOUSES_PATH}/:id/open`, desk(openHouseByForm)],
  ...both(DEVIATIONS_PATH, desk(showDeviations), desk(changeDeviations)),
  ['GET', `${DEVIATIONS_PATH}.csv`, desk(sendDeviations)],
  ['GET', CHAIN_STATISTICS_PATH, desk(showHousesStatistics)],
  ['GET', `${CHAIN_STATISTICS_PATH}.csv`, desk(sendHousesStatistics)],
  ...both(PEOPLE_PATH, desk(showPeople), form(inviteForm)),
  ...record(`${PEOPLE_PATH}/:id`, personPage),
  ...both(WEBHOOKS_PATH, desk(showWebhooks), form(webhookForm)),
  ...record(`${WEBHOOKS_PATH}/:id`, webhookPage),
  ...record(HOSTS_PATH, hostsPage),
  ...both('/admin/api-tokens', desk(showTokens), form(tokenForm)),
  ...record('/admin/api-tokens/:id/revoke', revokePage),
  ...record(ACCOUNT_PATH, accountPage),
  ['POST', `${ACCOUNT_PATH}/passkeys`, desk(changePasskeys)],
  ...EDITORS.filter(hasPreview).flatMap((editor) => {
    const handle = desk((at) => showPreview(at, editor), endedPreview);
    return both(previewPath(editor), handle, handle);
  }),
  ...both('/admin/sign-in', open(showSignIn), open(signIn)),
  ...both(
    '/admin/sign-in/passkey',
    open((_, request) => showPasskeySignIn(request)),
    open(signInByPasskey),
  ),
  ['POST', '/admin/sign-out', open(signOut)],
  ...both('/admin/link/:secret', open(showLink), open(useLink)),
  ...both('/admin/forgotten', open(showForgotten), open(sendForgotten)),
  ['POST', '/admin/language', open((_, request) => chooseLanguage(request))],
];

/** Pages that read or pack a whole menu, or years of statistics. */
const DEAR_PATHS = [
  ...[EXPORT_PATH, IMPORT_PATH, TRANSLATIONS_PATH, '/admin/statistics', '/admin/qr.png'],
  ...[CHAIN_STATISTICS_PATH, DEVIATIONS_PATH].flatMap((path) => [path, `${path}.csv`]),
];

/** The share of a request in `maxPanelCost`. */
function costOf(method: 'GET' | 'POST', path: string): number {
  const isForm = method === 'POST';
  if (DEAR_PATHS.includes(path) && (isForm || path !== IMPORT_PATH)) return DEAR_PAGE_COST;
  return isForm ? FORM_COST : PAGE_COST;
}

/** For somebody without a session: the way to the sign-in page. */
async function sendToSignIn(request: PanelRequest): Promise<Answer> {
  if (request.context.method === 'post') return askToSignIn(request);
  const { path, query } = request.context;
  const isPage = isPanelPath(addressOf(request.context));
  const next = query === '' ? path : path + encodeURIComponent(`?${query}`);
  return redirectAnswer(request, `/admin/sign-in${isPage ? `?next=${next}` : ''}`);
}

/** Whether a form changes nothing of the restaurant: a preview, and an account of one's own. */
function isHarmless(path: string): boolean {
  return path.endsWith('/preview') || path.startsWith(ACCOUNT_PATH);
}

/** A visitor from the chain has an account there alone. */
function visitorsAccount(request: PanelRequest, session: Session): Answer {
  const { say } = request;
  const [title, text] = [say('chain.accountTitle'), say('chain.account')];
  return messagePage(request, '403 Forbidden', title, text, session, 'home');
}

/** Lets those who have signed in, and whose role allows it, into a page. */
function createAtDesk(options: DeskOptions): Panel['atDesk'] {
  const { db } = options;
  return (handle, orElse = sendToSignIn) =>
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
      const { path, restaurant } = request.context;
      if (isForm && restaurant.suspension && !isHarmless(path)) {
        return suspendedPage(request, session);
      }
      if (session.is_visitor && pagePart(path) === null) return visitorsAccount(request, session);
      if (mayOpen(session.role, path)) {
        const chosen = await findChosen(db, request);
        const desk = makeDesk(options, request, session, chosen);
        const followed = isForm ? await followLate(desk) : null;
        return followed ?? (await handle(desk).catch((error) => showLate(desk, error)));
      }
      // The way to the panel leads everybody to their own first page.
      const first = firstPage(session.role);
      if (path === '/admin' && !isForm) return redirectAnswer(request, first);
      return forbiddenPage(request, session);
    };
}

/** The panel's pages, below `{tenant_url}/admin`. */
export function createPanelRoutes(options: PanelOptions): RestaurantRoute[] {
  const { log, constants, now } = options;
  const { maxPanelWrites, maxPanelWindows, maxPanelCost } = constants;
  const bound = createMinuteBound<number>(maxPanelWrites, maxPanelWindows, now);
  const costs = createMinuteBound<ClientNetwork>(maxPanelCost, maxPanelWindows, now);
  const deskOptions = { ...options, bound, checks: createPasswordChecks() };
  const panel: Panel = {
    ...deskOptions,
    resume: createResume(deskOptions),
    atDesk: createAtDesk(deskOptions),
  };

  const pages = PAGES.map(([method, path, handleIn]): RestaurantRoute => {
    const handle = handleIn(panel);
    const cost = costOf(method, path);
    const call = async (context: RestaurantContext) => {
      const request = readPanelRequest(context);
      const wait = costs.take(clientSite(context.client), cost);
      if (wait > 0) return tooManyPages(request, wait);
      try {
        if (request.source === 'foreign') return await refuseForeignForm(options, request);
        return await handle(request);
      } catch (error) {
        if (error instanceof SessionEndedError) {
          return redirectAnswer(request, '/admin/sign-in?because=expired');
        }
        const mistake = mistakePage(request, error);
        if (mistake) return mistake;
        // Some paths hold a secret.
        const fault = { err: error, route: path, error_id: context.id };
        log.error(fault, 'a page of the panel failed');
        return failurePage(request, error);
      }
    };
    return { kind: 'restaurant', method, path, call };
  });
  return [...pages, ...assetRoutes];
}
