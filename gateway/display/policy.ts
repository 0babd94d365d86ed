import { createHash } from 'node:crypto';
import type { Theme } from '../../db/schema/theme.ts';

/** An origin that contains nothing with a meaning of its own in a policy. */
const SECURE_ORIGIN = /^https:\/\/[\w.:[\]-]+$/;

/** Where the theme's font may come from: its stylesheet's server, and any server that this names. */
function fontSources({ font_url }: Theme): { style: string; font: string } {
  const origin = URL.canParse(font_url) ? new URL(font_url).origin : '';
  return SECURE_ORIGIN.test(origin)
    ? { style: ` ${origin}`, font: ' https:' }
    : { style: '', font: '' };
}

/**
 * Nothing but our own files runs in the page; pictures and the font may come from elsewhere. Browsers
 * do not run the page's data blocks (JSON), so the policy does not name them.
 *
 * @param embedOrigins origins of other sites that may show the page in a frame, separated by spaces
 */
export function contentSecurityPolicy(theme: Theme, embedOrigins: string): string {
  const sources = fontSources(theme);
  return [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "connect-src 'self'",
    `style-src 'self'${sources.style}`,
    `font-src 'self'${sources.font}`,
    "img-src 'self' https: http: data:",
    ["frame-ancestors 'self'", ...(embedOrigins.match(/\S+/g) ?? [])].join(' '),
    "form-action 'none'",
    "base-uri 'none'",
  ].join('; ');
}

/** A stylesheet that is in the page, as a source of a policy. */
function sheetSource(css: string): string {
  return `'sha256-${createHash('sha256').update(css).digest('base64')}'`;
}

/**
 * The policy of a release's preview: the page's own script runs in it, and asks for nothing. Its
 * stylesheet is in the page.
 *
 * @param css the stylesheet
 */
export function releasePreviewPolicy(theme: Theme, css: string): string {
  return contentSecurityPolicy(theme, '')
    .replace("connect-src 'self'", "connect-src 'none'")
    .replace("worker-src 'self'", "worker-src 'none'")
    .replace("style-src 'self'", `style-src 'self' ${sheetSource(css)}`);
}

/**
 * A preview runs no script, and only our own pages may show it in a frame. Its theme is not saved, so
 * that its stylesheet has no address: the policy names the digest of the one that is in the page.
 *
 * @param css the stylesheet
 */
export function previewPolicy(theme: Theme, css: string): string {
  const sources = fontSources(theme);
  return [
    "default-src 'none'",
    `style-src 'self' ${sheetSource(css)}${sources.style}`,
    `font-src 'self'${sources.font}`,
    "img-src 'self' https: http: data:",
    "frame-ancestors 'self'",
    "form-action 'none'",
    "base-uri 'none'",
  ].join('; ');
}
