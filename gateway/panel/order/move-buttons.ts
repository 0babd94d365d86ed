import type { Say } from '../../../db/texts/say.ts';
import { type Html, html } from '../../http/html.ts';

/** Arrows as drawings: not every font has them. */
const ARROWS = { up: 'M8 13V3M3.5 7.5 8 3l4.5 4.5', down: 'M8 3v10M3.5 8.5 8 13l4.5-4.5' };

/**
 * The buttons that move a record up and down.
 *
 * @param kind as `readMove` knows it
 * @param index its place among `count` records
 */
export function moveButtons(
  say: Say,
  kind: 'section' | 'dish' | 'type',
  { id, name, index, count }: { id: number; name: string; index: number; count: number },
): Html {
  const button = (way: 'up' | 'down') =>
    html`<button class="icon" name="do" value="${kind}-${way}:${id}" aria-label="${say(`menu.${way}`, { name })}"><svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d="${ARROWS[way]}" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg></button>`;
  return html`<span class="moves">${index > 0 && button('up')}${index < count - 1 && button('down')}</span>`;
}
