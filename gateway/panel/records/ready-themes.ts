import { entriesOf, keysOf } from '../../../db/runtime/keys.ts';
import { type Html, html } from '../../http/html.ts';
import type { Desk } from '../desk.ts';
import { onceFields } from '../pages/fields.ts';

/** Themes that fit together, as bodies of `PATCH /admin/theme`; each passes the contrast of AA. */
export const READY_THEMES = {
  trattoria: {
    primary_color: '#8A2B1A',
    secondary_color: '#6B5034',
    accent_color: '#9A5B0B',
    background_color: '#FDF6EA',
    text_color: '#33211A',
    font_family: 'Lora, serif',
    layout_variant: 'classic',
    header_style: 'centered',
    border_radius: '8px',
  },
  bistro: {
    primary_color: '#1F3A34',
    secondary_color: '#55645A',
    accent_color: '#8A5A12',
    background_color: '#FAF8F2',
    text_color: '#1D2421',
    font_family: 'Playfair Display, serif',
    layout_variant: 'classic',
    header_style: 'left',
    border_radius: '0',
  },
  sea: {
    primary_color: '#0B4A6F',
    secondary_color: '#3B6378',
    accent_color: '#A8452B',
    background_color: '#F5FAFC',
    text_color: '#12303F',
    font_family: 'Source Sans 3, sans-serif',
    layout_variant: 'grid',
    header_style: 'banner',
    border_radius: '16px',
  },
  garden: {
    primary_color: '#2F5D2B',
    secondary_color: '#586B3C',
    accent_color: '#8C4A13',
    background_color: '#F8FAF1',
    text_color: '#212B1A',
    font_family: 'Nunito, sans-serif',
    layout_variant: 'grid',
    header_style: 'centered',
    border_radius: '16px',
  },
  night: {
    primary_color: '#E9C46A',
    secondary_color: '#C9B79C',
    accent_color: '#F0A868',
    background_color: '#17181C',
    text_color: '#F2EDE4',
    font_family: 'Josefin Sans, sans-serif',
    layout_variant: 'classic',
    header_style: 'minimal',
    border_radius: '0',
  },
  paper: {
    primary_color: '#1A1A1A',
    secondary_color: '#4A4A4A',
    accent_color: '#8C1C13',
    background_color: '#FFFFFF',
    text_color: '#1A1A1A',
    font_family: 'EB Garamond, serif',
    layout_variant: 'compact',
    header_style: 'minimal',
    border_radius: '0',
  },
} as const;
type ReadyTheme = keyof typeof READY_THEMES;

/** The beginning of the buttons' values. */
const BUTTON = 'ready:';

/** The theme that a button names; undefined for other buttons. */
export function readyTheme(button: string) {
  const name = keysOf(READY_THEMES).find((one) => BUTTON + one === button);
  return name && READY_THEMES[name];
}

/** A small menu in the colours of a theme. */
function picture(name: ReadyTheme): Html {
  const { primary_color, accent_color, background_color, text_color } = READY_THEMES[name];
  const line = (y: number, width: number, color: string) =>
    html`<rect x="12" y="${y}" width="${width}" height="4" rx="2" fill="${color}"/>`;
  return html`<svg viewBox="0 0 96 72" width="96" height="72" aria-hidden="true"><rect width="96" height="72" fill="${background_color}"/>
<rect x="12" y="10" width="40" height="8" rx="2" fill="${primary_color}"/>${line(26, 56, text_color)}${line(34, 44, text_color)}${line(48, 52, text_color)}${line(56, 38, text_color)}
<circle cx="80" cy="28" r="4" fill="${accent_color}"/><circle cx="80" cy="50" r="4" fill="${accent_color}"/></svg>`;
}

/** The ready themes, each with a picture of it. */
export function readyThemes({ request, say }: Desk): Html {
  const buttons = entriesOf<ReadyTheme, unknown>(READY_THEMES).map(
    ([name]) =>
      html`<button class="ready" name="do" value="${BUTTON}${name}">${picture(name)}<span>${say(`themes.${name}`)}</span></button>`,
  );
  return html`<section class="card part"><h2>${say('appearance.ready')}</h2><p class="hint">${say('appearance.readyHint')}</p>
<form class="readies" method="post" action="/admin/appearance">${onceFields(request)}${buttons}</form></section>`;
}
