import { constants } from '../../db/runtime/constants.ts';
import { directionOf } from '../../db/schema/values/locale.ts';
import { type Answer, createAnswer, PAGE_HEADERS } from '../http/answer.ts';
import { html } from '../http/html.ts';
import { at, pageVersion } from './assets.ts';
import type { MenuReading } from './parts/menu-view.ts';
import { qrCode } from './qr-code.ts';

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "frame-ancestors 'none'",
  "form-action 'none'",
  "base-uri 'none'",
].join('; ');

/** The page where owners type the letters of a screen. */
const formAddress = (origin: string, code: string) => `${origin}/admin/screens?code=${code}`;

/**
 * The page of a screen without a place: six letters, and a code that leads a phone to the panel. It
 * asks again every few seconds without script, so that any browser finds its place.
 *
 * @param code null when too many wait
 * @param cookie of the screen, as Set-Cookie has it
 */
export function pairingAnswer(
  { texts, textLocale, settings }: MenuReading,
  origin: string,
  code: string | null,
  cookie: string,
): Answer {
  const letters =
    code &&
    html`<p class="letters" translate="no">${code}</p>
<p>${texts.pairHow}</p>
${qrCode(formAddress(origin, code))}`;
  const { text } = html`<!doctype html>
<html lang="${textLocale}" dir="${directionOf(textLocale)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta http-equiv="refresh" content="${constants.screenRefreshSeconds}">
<title>${settings.name}</title>
<link rel="stylesheet" href="${at(pageVersion, 'pair.css')}">
</head>
<body><main>
<h1>${texts.pairTitle}</h1>
${letters ?? html`<p>${texts.pairBusy}</p>`}
</main></body>
</html>
`;
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Language': textLocale,
    'Content-Security-Policy': POLICY,
    'Referrer-Policy': 'same-origin',
    'Set-Cookie': cookie,
    ...PAGE_HEADERS,
  };
  return createAnswer('200 OK', 'no-store', headers, Buffer.from(text));
}
