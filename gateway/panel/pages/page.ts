import { inOneGo, inSlices } from '../../../db/runtime/in-slices.ts';
import { LANGUAGE_NAMES } from '../../../db/schema/values/locale.ts';
import type { Session } from '../../../db/sql/sessions.ts';
import { PANEL_LANGUAGES } from '../../../db/texts/catalogues.ts';
import { type Answer, createAnswer, PAGE_HEADERS } from '../../http/answer.ts';
import { bytesInSteps, type Content, type Html, html, UNLISTED } from '../../http/html.ts';
import { monogram } from '../../theme/touch-icon.ts';
import { deskCss, panelJs, panelStyles, signInCss } from '../assets.ts';
import { chosenBanner } from '../chosen-release.ts';
import type { Desk } from '../desk.ts';
import { addressOf, isPanelPath, navigation, type Place } from '../navigation.ts';
import { type PanelRequest, setBrowserCookie } from '../panel-request.ts';
import { hiddenFields } from './fields.ts';

export interface Page {
  /** By default 200. */
  status?: string | undefined;
  title: string;
  /** Stands in `main`. */
  content: Html;
  /** Who has signed in; null before that. */
  user: Pick<Session, 'email' | 'role' | 'in_chain'> | null;
  /** Where in the navigation it stands. */
  place?: Place;
  /** It shows another page of ours in a frame. */
  hasFrame?: boolean;
  /** Its script asks for more: to follow the menu, to sign with a passkey, or to send what waits. */
  isLive?: boolean;
  /** It shows pictures at addresses of other sites. */
  hasForeignPictures?: boolean;
  /** Header lines of this answer alone. */
  headers?: Record<string, string> | undefined;
  /** Values of Set-Cookie headers, beside the panel's own. */
  cookies?: readonly string[] | undefined;
}

type Needs = Pick<Page, 'hasFrame' | 'isLive' | 'hasForeignPictures'>;

/** A page may load what it needs, and no more. */
function contentPolicy({ hasFrame, isLive, hasForeignPictures }: Needs): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    `img-src 'self'${hasForeignPictures ? ' https:' : ''}`,
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    ...(hasFrame ? ["frame-src 'self'"] : []),
    ...(isLive ? ["connect-src 'self'"] : []),
  ].join('; ');
}

const SECURITY_HEADERS = {
  'Content-Security-Policy': contentPolicy({}),
  ...PAGE_HEADERS,
  'X-Frame-Options': 'DENY',
  // With `no-referrer` browsers would not say either where a form comes from.
  'Referrer-Policy': 'same-origin',
};

function answerRequest(
  { cookie, secure, source }: PanelRequest,
  status: string,
  headers: Record<string, string>,
  body: Buffer,
  cookies: readonly string[] = [],
): Answer {
  const own = cookie.isNew ? [setBrowserCookie(cookie, secure), ...cookies] : cookies;
  // To a form of another site the browser adds no cookie of ours: a new one would sign somebody out.
  const set = source === 'foreign' ? [] : own;
  const all = {
    ...SECURITY_HEADERS,
    ...headers,
    ...(set.length > 0 && { 'Set-Cookie': set.join('\r\nSet-Cookie: ') }),
  };
  return createAnswer(status, 'no-store', all, body);
}

function account(request: PanelRequest, { email }: Pick<Session, 'email'>): Content {
  const { say } = request;
  return html`<div class="account">
  <p class="who"><span class="hidden">${say('shell.signedInAs')} </span><a href="/admin/account">${email}</a></p>
  <form method="post" action="/admin/sign-out">${hiddenFields(request)}<button class="quiet">${say('shell.signOut')}</button></form>
</div>`;
}

/**
 * The document around a page's content, in pieces.
 *
 * @param more of the content
 */
function* layout(request: PanelRequest, page: Page, more: Iterable<Html> = []): Generator<Html> {
  const { brand, language, say } = request;
  const [kind, css] =
    page.user === null ? (['sign-in', signInCss] as const) : (['desk', deskCss] as const);
  yield html`<!doctype html>
<html lang="${language}">
<head>
${UNLISTED}
<title>${page.title} · ${brand.name}</title>
<link rel="icon" href="/admin/icon.svg?v=${brand.icon.version}">
<link rel="stylesheet" href="/admin/theme.css?v=${brand.stylesheet.version}">
<link rel="stylesheet" href="/admin/panel.css?v=${panelStyles.version}">
<link rel="stylesheet" href="/admin/${kind}.css?v=${css.version}">
<script src="/admin/panel.js?v=${panelJs.version}" defer></script>
</head>
<body class="${kind}">
<a class="skip" href="#content">${say('shell.skipToContent')}</a>
<header class="masthead">
  <div class="brand">
    <span class="monogram" aria-hidden="true">${monogram(brand.name)}</span>
    <p class="name" translate="no" dir="auto">${brand.name}</p>
    <p class="place">${say('shell.panel')}</p>
  </div>
  ${page.user !== null && account(request, page.user)}
</header>
${page.user !== null && navigation(request, page.place, page.user)}
<main id="content" tabindex="-1">
${page.content}`;
  yield* more;
  yield html`
</main>
<footer class="foot">${languageForm(request)}<p>${say('shell.servedBy')}</p></footer>
</body>
</html>
`;
}

/**
 * A page of the panel; no cache may keep it, and only our own files run in it.
 *
 * @param body where it is made already
 */
export function pageAnswer(
  request: PanelRequest,
  page: Page,
  body: Buffer = inOneGo(bytesInSteps(layout(request, page))),
): Answer {
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Language': request.language,
    'Content-Security-Policy': contentPolicy(page),
    ...page.headers,
  };
  return answerRequest(request, page.status ?? '200 OK', headers, body, page.cookies);
}

/** Where the script tells of forms that wait for a connection. */
function outboxNotice({ say }: PanelRequest): Html {
  return html`<div id="outbox" role="status" hidden data-waiting="${say('outbox.waiting')}" data-sent="${say('outbox.sent')}" data-refused="${say('outbox.refused')}" data-lost="${say('outbox.lost')}" data-look="${say('outbox.look')}" data-drop="${say('outbox.drop')}"></div>`;
}

/** Says on each page that the restaurant is suspended, and why. */
function suspensionNotice({ say, context }: PanelRequest): Content {
  const { suspension } = context.restaurant;
  if (!suspension) return null;
  const { reason } = suspension;
  return html`<section class="card preparing" role="status">${reason !== null && html`<p><strong>${reason}</strong></p>`}<p>${say('failures.suspended')}</p></section>`;
}

type DeskPage = Omit<Page, 'user'>;

function wholePage({ request, session, chosen }: Desk, page: DeskPage): Page {
  const banner = chosenBanner(request, chosen, hiddenFields(request));
  const content = html`${suspensionNotice(request)}${outboxNotice(request)}${banner}${page.content}`;
  return { isLive: true, ...page, content, user: session };
}

/** A page of somebody who has signed in. */
export function deskPage(desk: Desk, page: DeskPage): Answer {
  return pageAnswer(desk.request, wholePage(desk, page));
}

/**
 * The same for a page that may have megabytes: others are answered while its pieces are made.
 *
 * @param more of the content
 */
export async function longDeskPage(
  desk: Desk,
  page: DeskPage,
  more: Iterable<Html>,
): Promise<Answer> {
  const { request } = desk;
  const whole = wholePage(desk, page);
  return pageAnswer(request, whole, await inSlices(bytesInSteps(layout(request, whole, more))));
}

/** How a page differs from an untouched one. */
export interface PageState extends Pick<Page, 'status' | 'headers'> {
  /** Word of what was just done, or of what was wrong. */
  notice?: Content | undefined;
}

interface TitledPage extends Omit<Page, 'user' | keyof PageState> {
  state?: PageState;
  /** The page that it belongs to, to which a link leads back. */
  way?: readonly [path: string, label: string];
  /** By default the title. */
  heading?: Html;
  intro?: Content;
  /** Stands below the intro. */
  opening?: Content;
}

/** The heading of a page about something that people have named. */
export const nameHeading = (name: Content) => html`<h1 dir="auto">${name}</h1>`;

/** A page of somebody who has signed in, under its title and with word of what was just done. */
export function titledPage(desk: Desk, titled: TitledPage): Answer {
  const {
    state = {},
    way,
    heading = html`<h1>${titled.title}</h1>`,
    intro = null,
    opening = null,
    ...page
  } = titled;
  const { status, headers, notice = null } = state;
  const content = html`<div class="opening">${way !== undefined && html`<p class="way"><a href="${way[0]}">‹ ${way[1]}</a></p>`}
${heading}${intro !== null && html`<p class="intro">${intro}</p>`}
${opening}</div>
${notice}
${page.content}`;
  return deskPage(desk, { ...page, status, headers, content });
}

/** Where somebody arrives who has signed in. */
export const HOME_PATH = '/admin';

/**
 * Sends the browser to another page of the panel, which it reads with GET.
 *
 * @param cookies values of Set-Cookie headers, beside the panel's own
 */
export function redirectAnswer(
  request: PanelRequest,
  location: string,
  cookies: readonly string[] = [],
): Answer {
  return answerRequest(request, '303 See Other', { Location: location }, Buffer.alloc(0), cookies);
}

/** The id of the form on the sign-in page. */
export const SIGN_IN_FORM = 'sign-in';

/** A button for each language; the page comes back in the one that is pressed. */
function languageForm(request: PanelRequest): Html {
  const isKept = Boolean(request.purpose?.kept);
  // The sign-in form itself brings what it keeps: it is long, and stands in the page once.
  const target = isKept && html` form="${SIGN_IN_FORM}" formaction="/admin/language"`;
  const buttons = PANEL_LANGUAGES.map((locale) => {
    const isPressed = locale === request.language;
    return html`<button name="language" value="${locale}" lang="${locale}" aria-pressed="${String(isPressed)}"${target}>${LANGUAGE_NAMES[locale]}</button>`;
  });
  const label = request.say('shell.language');
  if (isKept)
    return html`<div class="languages" role="group" aria-label="${label}">${buttons}</div>`;
  return html`<form class="languages" method="post" action="/admin/language" aria-label="${label}">
  <input type="hidden" name="back" value="${backPath(addressOf(request.context))}">
  ${buttons}
</form>`;
}

/** The page of the panel that a path names; whatever else it is, the first one. */
export function backPath(path: string): string {
  return isPanelPath(path) ? path : '/admin';
}
