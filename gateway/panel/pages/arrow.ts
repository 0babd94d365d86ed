import { type Html, html } from '../../http/html.ts';

const PATHS = { up: 'M8 13V3M3.5 7.5 8 3l4.5 4.5', down: 'M8 3v10M3.5 8.5 8 13l4.5-4.5' };

/** An arrow as a drawing: not every font has one. */
export function arrow(way: keyof typeof PATHS): Html {
  return html`<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d="${PATHS[way]}" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg>`;
}
