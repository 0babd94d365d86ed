import { entityTag } from '../../db/runtime/entity-tag.ts';
import type { Settings } from '../../db/schema/settings.ts';
import type { Theme } from '../../db/schema/theme.ts';
import { type Asset, createShortAsset, versionOf } from '../http/asset.ts';
import { type Html, html } from '../http/html.ts';
import {
  createForm,
  prepareRepresentations,
  type Representations,
} from '../http/representations.ts';
import type { LoadedSnapshot } from '../snapshots/loaded-snapshot.ts';
import { iconSvg } from '../theme/icon.ts';
import { menuCss } from '../theme/menu-css.ts';
import { readSettingsAndTheme } from '../theme/settings-and-theme.ts';
import { pageAssets, pageVersion } from './assets.ts';

/** What is served of a restaurant beside its API: the page, and the stylesheet of its theme. */
export interface Shell {
  page: Representations;
  theme: Asset;
}

const known = new WeakMap<LoadedSnapshot, Shell>();

/** An origin in which nothing stands that means something in a policy. */
const SECURE_ORIGIN = /^https:\/\/[\w.:[\]-]+$/;

/** Where the theme's font may come from: its stylesheet's server, and whichever that names. */
function fontSources({ font_url }: Theme): { style: string; font: string } {
  const origin = URL.canParse(font_url) ? new URL(font_url).origin : '';
  return SECURE_ORIGIN.test(origin)
    ? { style: ` ${origin}`, font: ' https:' }
    : { style: '', font: '' };
}

/** Nothing but our own files runs in the page; pictures and the font may come from elsewhere. */
function contentSecurityPolicy(theme: Theme): string {
  const sources = fontSources(theme);
  return [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    "connect-src 'self'",
    `style-src 'self'${sources.style}`,
    `font-src 'self'${sources.font}`,
    "img-src 'self' https: http: data:",
    "form-action 'none'",
    "base-uri 'none'",
  ].join('; ');
}

const at = (version: string, name: string) => `/display/${version}/${name}`;

/** Without script there is no menu, but there is a restaurant, whose address the masthead has. */
function withoutScript({ phone }: Settings): Html {
  return html`<noscript>${phone && html`<p>${phone}</p>`}
<p lang="it">Per mostrare il menù questa pagina ha bisogno di JavaScript.</p>
<p lang="en">This page needs JavaScript to show the menu.</p></noscript>`;
}

function sheet(name: string): Html {
  // A wall shows a page at a time; on paper all of them follow each other.
  const media = name === 'screen.css' && html` media="screen"`;
  return html`<link rel="stylesheet" href="${at(pageVersion, name)}"${media}>\n`;
}

function head(settings: Settings, theme: Theme, stylesheet: Asset): Html {
  const sheets = [...pageAssets.keys()].filter((name) => name.endsWith('.css'));
  const modules = [...pageAssets.keys()].filter((name) => /(?<!worker|renew)\.js$/.test(name));
  const icon = versionOf(iconSvg(settings.name, theme));
  return html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="theme-color" content="${theme.background_color}">
<meta name="description" content="${[settings.name, settings.address].filter(Boolean).join(' · ')}">
<title>${settings.name}</title>
<link rel="icon" href="/admin/icon.svg?v=${icon}">
<link rel="stylesheet" href="${at(stylesheet.version, 'theme.css')}" id="theme">
${sheets.map(sheet)}${modules.map((name) => html`<link rel="modulepreload" href="${at(pageVersion, name)}">\n`)}<script type="module" src="${at(pageVersion, 'display.js')}"></script>
<script type="module" src="${at(pageVersion, 'renew.js')}" async></script>`;
}

/** The page's skeleton, which the script fills; empty parts stay hidden until then. */
function skeleton(settings: Settings): Html {
  return html`<a class="skip" id="skip" href="#menu" hidden></a>
<header id="masthead">
  <img id="cover" alt="" hidden>
  <div class="plate">
    <img id="logo" alt="" hidden>
    <h1 id="name" translate="no" dir="auto">${settings.name}</h1>
    <p id="address" dir="auto">${settings.address}</p>
  </div>
  <div id="languages" role="group" hidden></div>
</header>
<div id="tools" role="search" hidden>
  <input id="search" type="search" autocomplete="off" spellcheck="false" enterkeyhint="search">
  <button type="button" id="filter" aria-expanded="false" aria-controls="choices"></button>
  <fieldset id="choices" hidden></fieldset>
  <p id="found" role="status"></p>
</div>
<nav id="sections" hidden><ul></ul></nav>
<main id="menu" tabindex="-1">${withoutScript(settings)}</main>
<section id="legend" aria-labelledby="legend-title" hidden></section>
<footer id="foot" hidden></footer>
<p id="outage" role="status"></p>`;
}

function buildShell(snapshot: LoadedSnapshot): Shell {
  const { settings, theme } = readSettingsAndTheme(snapshot);
  const stylesheet = createShortAsset('text/css', menuCss(theme));
  const locales = settings.supported_locales.join(' ');
  const { timezone } = snapshot.tenant;
  const document = html`<!doctype html>
<html lang="${settings.default_locale}" data-locales="${locales}" data-timezone="${timezone}" data-layout="${theme.layout_variant}" data-header="${theme.header_style}">
<head>
${head(settings, theme, stylesheet)}
</head>
<body>
${skeleton(settings)}
</body>
</html>
`;
  const policy = contentSecurityPolicy(theme);
  const page = prepareRepresentations(
    { etag: entityTag(document.text, policy), identity: Buffer.from(document.text) },
    createForm('no-cache', {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
      'Referrer-Policy': 'strict-origin-when-cross-origin',
      'X-Content-Type-Options': 'nosniff',
    }),
  );
  return { page, theme: stylesheet };
}

/** Reads the restaurant and its theme out of the menu that is in memory, without the database. */
export function shellOf(snapshot: LoadedSnapshot): Shell {
  const present = known.get(snapshot);
  if (present) return present;
  const shell = buildShell(snapshot);
  known.set(snapshot, shell);
  return shell;
}
