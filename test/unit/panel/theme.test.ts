import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { trattoria } from '../../../db/operator/demo/restaurant.ts';
import { panelCss, panelPalette } from '../../../gateway/panel/brand.ts';
import { tokenState } from '../../../gateway/panel/connections/tokens.ts';
import { contrast } from '../../../gateway/theme/color.ts';

/** Which colours stand on which, and the contrast that WCAG 2.2 (AA) wants of them. */
const TEXT_ON: Record<string, string[]> = {
  ink: ['page', 'surface', 'field', 'tint'],
  muted: ['page', 'surface', 'field', 'tint'],
  link: ['page', 'surface', 'field', 'tint'],
  'on-brand': ['brand', 'brand-hover'],
  'on-masthead': ['masthead', 'masthead-deep'],
  good: ['page', 'surface', 'good-ground'],
  warn: ['page', 'surface', 'warn-ground'],
  bad: ['page', 'surface', 'bad-ground'],
};
const EDGE_ON: Record<string, string[]> = {
  brand: ['page', 'surface'],
  'field-edge': ['surface', 'field'],
};

const hex = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`);
const theme = fc.record({
  primary_color: hex,
  accent_color: hex,
  background_color: hex,
  text_color: hex,
});
/** A stored theme. */
const stored = {
  ...{ id: 1, ...trattoria.theme, dark_mode: false },
  ...{ footer_text: '', footer_text_translations: {} },
};

test('whatever colours a restaurant chooses, every text can be read', () => {
  fc.assert(
    fc.property(theme, (colors) => {
      const palette = panelPalette(colors).colors;
      const color = (name: string) => palette[name] ?? assert.fail(name);
      for (const [grounds, ratio] of [[TEXT_ON, 4.5] as const, [EDGE_ON, 3] as const]) {
        for (const [name, on] of Object.entries(grounds)) {
          for (const ground of on) {
            const found = contrast(color(name), color(ground));
            assert.ok(found >= ratio, `${name} on ${ground}: ${found}`);
          }
        }
      }
    }),
    { numRuns: 3_000 },
  );
});

test('nothing of a theme gets into the stylesheet but colours and a length', () => {
  const hostile = { font_family: '}</style><script>', border_radius: '1px} body {display: none' };
  const css = panelCss({ ...stored, ...hostile });
  assert.match(css, /--radius: min\(8px, 0\.875rem\);/);
  assert.match(css, /^:root \{\n( {2}[\w-]+: [^{}<>;]+;\n)+\}\n$/);
});

test('corners are as round as the API takes it, sharp ones among them', () => {
  const radius = (border_radius: string) =>
    /--radius: (.*);/.exec(panelCss({ ...stored, border_radius }))?.[1];
  assert.equal(radius('0'), 'min(0px, 0.875rem)');
  assert.equal(radius('0.125rem'), 'min(0.125rem, 0.875rem)');
  assert.equal(radius('2vmin'), 'min(2vmin, 0.875rem)');
});

test('a token is due on its ninetieth day, and never once it is revoked', () => {
  const day = 24 * 3_600_000;
  const created_at = new Date('2026-01-01T00:00:00Z');
  const after = (days: number) => new Date(created_at.getTime() + days * day);
  assert.equal(tokenState({ created_at, revoked_at: null }, after(89.99)), 'active');
  assert.equal(tokenState({ created_at, revoked_at: null }, after(90)), 'due');
  assert.equal(tokenState({ created_at, revoked_at: after(1) }, after(90)), 'revoked');
});
