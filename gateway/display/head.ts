import { LINK_PREVIEW_SIZE } from '../../db/schema/photo.ts';
import type { SectionTree } from '../../db/schema/section.ts';
import type { Theme } from '../../db/schema/theme.ts';
import type { Locale } from '../../db/schema/values/locale.ts';
import { type Answer, createAnswer } from '../http/answer.ts';
import { versionOf } from '../http/asset.ts';
import { type Content, Html, html } from '../http/html.ts';
import { linkPreviewPath } from '../media/link-previews.ts';
import type { LoadedSnapshot } from '../snapshots/loaded-snapshot.ts';
import { darkTheme, readSettingsAndTheme } from '../theme/theme-css.ts';
import { iconSvg, TOUCH_ICON_SIZES, touchIcon } from '../theme/touch-icon.ts';
import { at, pageVersion, photoModules, screenModules } from './assets.ts';
import { dishesOf, type MenuView, regionOf } from './parts/menu-view.ts';
import { webAddress } from './parts/own-text.ts';

/** The length of a description that search engines show, in characters. */
const MAX_DESCRIPTION = 160;
/** Pause between two loads of a screen without script, in s. */
const REFRESH_SECONDS = 60;

/** As Open Graph writes a language. */
const openGraphLocale = (locale: Locale) => regionOf(locale).replace('-', '_');

/** Where a page can be found. */
export interface PagePlace {
  /** Such as `https://trattoria.example.com`. */
  origin: string;
  /** A screen on a wall reads it: without script it is loaded again and again. */
  isWall: boolean;
  /** The address names no language: it is the canonical one, whatever language the guest reads. */
  isRoot?: boolean;
  themeVersion: string;
  /** Of a screen without network: what it keeps by its own clock. */
  carried?: object;
  /** Of a preview: its theme's stylesheet, and the text that says so. */
  preview?: { css: string; banner: string };
}

export function pageAddress(origin: string, locale: string): string {
  return `${origin}/?lang=${locale}`;
}

function describe({ settings, tree, texts }: MenuView): string {
  const about = [texts.menuOf.replace('{name}', settings.name), settings.address];
  const sections = tree.map(({ name }) => name).join(', ');
  const text = [about.filter(Boolean).join(', '), sections].filter(Boolean).join(': ');
  const signs = [...text.replace(/\s+/g, ' ')];
  if (signs.length <= MAX_DESCRIPTION) return signs.join('');
  const beginning = signs.slice(0, MAX_DESCRIPTION - 1).join('');
  return `${beginning.trimEnd()}…`;
}

function alternates({ settings, locale }: MenuView, { origin, isRoot }: PagePlace): Content {
  const link = (code: string, href: string) =>
    html`<link rel="alternate" hreflang="${code}" href="${href}">\n`;
  return [
    html`<link rel="canonical" href="${isRoot ? `${origin}/` : pageAddress(origin, locale)}">\n`,
    settings.supported_locales.map((code) => link(code, pageAddress(origin, code))),
    link('x-default', `${origin}/`),
  ];
}

/** The first own photo of a dish, which stands for a restaurant without a cover. */
export function firstPhoto({ tree }: MenuView): string | undefined {
  for (const { photo } of dishesOf(tree)) if (photo) return photo.url;
  return undefined;
}

/** Whether the page shows a photo that has a placeholder. */
function hasPhotos({ settings, tree }: MenuView): boolean {
  const isShown = ({ photo, children }: SectionTree) => photo !== null || children.some(isShown);
  if (settings.cover_photo || settings.logo_photo || tree.some(isShown)) return true;
  for (const { photo } of dishesOf(tree)) if (photo) return true;
  return false;
}

const photoTag = (photo: string | undefined) => (photo ? [['og:image', photo]] : []);

function openGraph(view: MenuView, title: string, description: string, origin: string): Content {
  const { settings, locale, theme } = view;
  const cover = webAddress(settings.cover_image_url);
  const drawn = [
    ['og:image', `${origin}${linkPreviewPath(settings, theme)}`],
    ['og:image:type', 'image/png'],
    ['og:image:width', String(LINK_PREVIEW_SIZE.width)],
    ['og:image:height', String(LINK_PREVIEW_SIZE.height)],
    ['og:image:alt', settings.name],
  ];
  // Readers of links show the first picture.
  const pictures = [...(cover ? [['og:image', cover]] : drawn), ...photoTag(firstPhoto(view))];
  const others = settings.supported_locales.filter((code) => code !== locale);
  const properties = [
    ['og:type', 'website'],
    ['og:site_name', settings.name],
    ['og:title', title],
    ['og:description', description],
    ['og:url', pageAddress(origin, locale)],
    ['og:locale', openGraphLocale(locale)],
    ...others.map((code) => ['og:locale:alternate', openGraphLocale(code)]),
    ...pictures,
  ];
  return [
    properties.map(
      ([property = '', content = '']) => html`<meta property="${property}" content="${content}">\n`,
    ),
    html`<meta name="twitter:card" content="summary_large_image">\n`,
  ];
}

export function fontLink({ font_url }: Theme): Html | null {
  if (!/^(https:|\/)/i.test(font_url)) return null;
  return html`<link rel="stylesheet" href="${font_url}" referrerpolicy="no-referrer">`;
}

/** The theme's font: script adds it, so that its server does not hold the page up. */
function fontSheet({ theme }: MenuView): Content {
  const link = fontLink(theme);
  return link && html`<noscript>${link}</noscript>\n`;
}

/** The colour of the browser around the page, by day and by night. */
function themeColors({ theme }: MenuView): Content {
  const dark = darkTheme(theme);
  const light = html`<meta name="theme-color" content="${theme.background_color}">`;
  if (!dark) return light;
  return html`${light}
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="${dark.background_color}">`;
}

/** A browser without script, or with one that reads no modules, loads a screen's page again. */
const refresh = html`<noscript><meta http-equiv="refresh" content="${REFRESH_SECONDS}"></noscript>
<script nomodule src="${at(pageVersion, 'refresh.js')}"></script>\n`;

/** Whether it is a wall, or a guest's page that becomes one in a wide window. */
const mayBeScreen = ({ theme }: MenuView, isWall: boolean) =>
  isWall || theme.layout_variant === 'slides';

export function headPart(view: MenuView, place: PagePlace): Html {
  const { origin, themeVersion, isWall, preview } = place;
  const { settings, theme, texts } = view;
  const title = `${settings.name} · ${texts.menu}`;
  const description = describe(view);
  const icon = versionOf(iconSvg(settings.name, theme));
  // Search engines and others do not find a preview.
  const found = !preview && [alternates(view, place), openGraph(view, title, description, origin)];
  const onScreen = mayBeScreen(view, isWall);
  const modules = [...(onScreen ? screenModules : []), ...(hasPhotos(view) ? photoModules : [])];
  return html`<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<title>${title}</title>
${isWall && !preview && refresh}${
  preview
    ? html`<meta name="robots" content="noindex, nofollow"><style id="theme">${new Html(preview.css)}</style>`
    : html`<link rel="stylesheet" href="${at(themeVersion, 'theme.css')}" id="theme">`
}
<link rel="stylesheet" href="${at(pageVersion, 'display.css')}">
${
  onScreen && html`<link rel="stylesheet" href="${at(pageVersion, 'screen.css')}">\n`
}${fontSheet(view)}<noscript><link rel="stylesheet" href="${at(pageVersion, 'no-script.css')}"></noscript>
<link rel="icon" href="/admin/icon.svg?v=${icon}">
<link rel="apple-touch-icon" href="${touchIconPath(theme.primary_color, TOUCH_ICON_SIZES[0])}">
<link rel="manifest" href="${MANIFEST_PATH}">
${themeColors(view)}
<meta name="description" content="${description}">
${found}${modules.map(
  (name) => html`<link rel="modulepreload" href="${at(pageVersion, name)}">\n`,
)}<script type="module" src="${at(pageVersion, 'display.js')}"></script>
<script type="module" src="${at(pageVersion, 'renew.js')}" async></script>
</head>
`;
}

export const MANIFEST_PATH = '/manifest.webmanifest';

const FOREVER = 'public, max-age=31536000, immutable';

/** The address of an icon; another colour has another one. */
function touchIconPath(primaryColor: string, size: number): string {
  return `/display/${versionOf(primaryColor)}/icon-${size}.png`;
}

/** The manifest by which a phone puts the menu on its home screen. */
export function manifestAnswer(snapshot: LoadedSnapshot): Answer {
  const { settings, theme } = readSettingsAndTheme(snapshot);
  const { background_color, primary_color } = theme;
  const manifest = {
    id: '/',
    name: settings.name,
    short_name: settings.name,
    lang: snapshot.locale,
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color,
    theme_color: background_color,
    icons: TOUCH_ICON_SIZES.map((size) => ({
      src: touchIconPath(primary_color, size),
      sizes: `${size}x${size}`,
      type: 'image/png',
      purpose: 'any maskable',
    })),
  };
  const type = { 'Content-Type': 'application/manifest+json' };
  return createAnswer('200 OK', 'no-cache', type, Buffer.from(JSON.stringify(manifest)));
}

/** Icons of the last colours: drawing a large one takes some milliseconds. */
const drawn = new Map<string, Buffer>();
const MOST_DRAWN = 60;

/** An icon for home screens in the restaurant's present colour. */
export function touchIconAnswer(snapshot: LoadedSnapshot, size: number, version: string): Answer {
  const { theme } = readSettingsAndTheme(snapshot);
  const path = touchIconPath(theme.primary_color, size);
  const icon = drawn.get(path) ?? touchIcon(theme, size);
  if (drawn.size >= MOST_DRAWN) drawn.clear();
  drawn.set(path, icon);
  const isPresent = version === versionOf(theme.primary_color);
  const type = { 'Content-Type': 'image/png' };
  return createAnswer('200 OK', isPresent ? FOREVER : 'no-cache', type, icon);
}
