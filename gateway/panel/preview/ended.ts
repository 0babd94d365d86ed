import { type Answer, createAnswer } from '../../http/answer.ts';
import { html } from '../../http/html.ts';
import { panelCss } from '../assets.ts';
import type { PanelRequest } from '../panel-request.ts';
import { editorTexts } from '../texts/editor.ts';

/** The frame of a preview once the session has ended: the sign-in page may not be framed. */
export function endedPreview({ brand, texts, say }: PanelRequest): Answer {
  // The script shows a document with this id in the place of the former preview.
  const { text } = html`<!doctype html>
<html lang="${texts.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${say(editorTexts.preview)}</title>
<link rel="stylesheet" href="/admin/theme.css?v=${brand.stylesheet.version}">
<link rel="stylesheet" href="/admin/panel.css?v=${panelCss.version}">
</head>
<body><main id="menu"><p class="notice bad" role="alert">${say(editorTexts.previewEnded)}</p></main></body>
</html>
`;
  return createAnswer(
    '403 Forbidden',
    'no-store',
    {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Language': texts.language,
      'Content-Security-Policy':
        "default-src 'none'; style-src 'self'; form-action 'none'; frame-ancestors 'self'; base-uri 'none'",
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'SAMEORIGIN',
      'Referrer-Policy': 'same-origin',
    },
    Buffer.from(text),
  );
}
