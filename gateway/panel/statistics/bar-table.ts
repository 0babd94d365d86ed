import { type Html, html } from '../../http/html.ts';
import type { PanelRequest } from '../panel-request.ts';

export interface BarRow {
  label: string;
  /** The first one is drawn. */
  figures: readonly number[];
}

/**
 * Figures with a bar each: a table that can be read out.
 *
 * @param heads of the labels and of the figures
 */
export function barTable(
  request: PanelRequest,
  caption: string,
  heads: readonly string[],
  rows: readonly BarRow[],
): Html {
  const most = Math.max(1, ...rows.map(({ figures }) => figures[0] ?? 0));
  const format = new Intl.NumberFormat(request.language);
  const body = rows.map(({ label, figures }) => {
    const width = Math.round(((figures[0] ?? 0) / most) * 100);
    return html`<tr><th scope="row">${label}</th>${figures.map((figure) => html`<td>${format.format(figure)}</td>`)}<td class="bar-cell"><svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect width="${width}" height="1"/></svg></td></tr>`;
  });
  return html`<table class="bars"><caption class="hidden">${caption}</caption>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}<td></td></tr></thead>
<tbody>${body}</tbody></table>`;
}
