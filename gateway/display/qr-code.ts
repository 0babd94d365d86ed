import encodeQR from 'qr';
import { type Html, html } from '../http/html.ts';

/** Free modules around a code, which readers need (ISO/IEC 18004). */
const QUIET_ZONE = 4;

/** The modules of a text's QR code row by row: true is dark. */
export function qrModules(text: string): boolean[][] {
  return encodeQR(text, 'raw', { ecc: 'medium', border: QUIET_ZONE });
}

/** A QR code of a text as SVG: one path with a run of dark modules a stroke. */
export function qrCode(text: string): Html {
  const rows = qrModules(text);
  const runs = rows.flatMap((row, y) => {
    const line = row.map((isDark) => (isDark ? '1' : '0')).join('');
    return [...line.matchAll(/1+/g)].map(({ index: x, 0: run }) => `M${x} ${y}h${run.length}`);
  });
  return html`<svg viewBox="0 -.5 ${rows.length} ${rows.length}" role="img" aria-label="${text}" \
shape-rendering="crispEdges"><path stroke="#000" d="${runs.join('')}"/></svg>`;
}
