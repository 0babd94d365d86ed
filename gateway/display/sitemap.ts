import { type Answer, createAnswer } from '../http/answer.ts';
import { html } from '../http/html.ts';
import type { LoadedSnapshot } from '../snapshots/loaded-snapshot.ts';
import { pageAddress } from './head.ts';

/** Addresses of the menu's page in every language, for search engines. */
export function sitemapAnswer({ tenant, generatedAt }: LoadedSnapshot, origin: string): Answer {
  const locales = tenant.supportedLocales;
  const link = (code: string, href: string) =>
    html`<xhtml:link rel="alternate" hreflang="${code}" href="${href}"/>\n`;
  const alternates = [
    locales.map((code) => link(code, pageAddress(origin, code))),
    link('x-default', `${origin}/`),
  ];
  const urls = locales.map(
    (code) => html`<url>
<loc>${pageAddress(origin, code)}</loc>
<lastmod>${generatedAt}</lastmod>
${alternates}</url>
`,
  );
  const text = html`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${urls}</urlset>
`.text;
  const type = { 'Content-Type': 'application/xml; charset=utf-8' };
  return createAnswer('200 OK', 'no-cache', type, Buffer.from(text));
}

/** Search engines may read the menu; the panel and the API are not for them. */
export function robotsAnswer(origin: string): Answer {
  const text = `User-agent: *\nDisallow: /admin\nDisallow: /api/\nSitemap: ${origin}/sitemap.xml\n`;
  const type = { 'Content-Type': 'text/plain; charset=utf-8' };
  return createAnswer('200 OK', 'no-cache', type, Buffer.from(text));
}
