import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trattoria } from '../../../db/operator/demo/restaurant.ts';
import { menuCss } from '../../../gateway/theme/theme-css.ts';

const theme = { ...trattoria.theme, footer_text: '', footer_text_translations: {}, id: 1 };

/** Relative luminance of `#rrggbb` (WCAG 2). */
function luminance(color: string): number {
  const channels = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
  const [red = 0, green = 0, blue = 0] = channels.map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

test('whatever a theme’s colours, what must be seen stands out from the page', () => {
  for (const background of ['#ffffff', '#000000', '#808080', '#ff00ff']) {
    for (const color of ['#ffffff', '#000000', '#808080', '#ff00ff']) {
      const css = menuCss({
        ...{ ...theme, dark_mode: false, background_color: background, primary_color: color },
        ...{ secondary_color: color, accent_color: color, text_color: color },
      });
      const colors = new Map(
        [...css.matchAll(/--(\S+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value]),
      );
      const least = { ink: 7, muted: 4.5, brand: 4.5, second: 4.5, accent: 4.5, edge: 3, state: 3 };
      for (const [name, ratio] of Object.entries(least)) {
        const measured = contrast(colors.get(name) ?? '', background);
        // Where black and white both stand out less, nothing can do better than the better of them.
        const most = Math.max(contrast('#000000', background), contrast('#ffffff', background));
        const wanted = Math.min(ratio, most) - 0.05;
        assert.ok(measured >= wanted, `${name} ${measured} of ${color} on ${background}`);
      }
    }
  }
});

test('a light theme has dark colours on dark devices where the restaurant allows it, a dark one never', () => {
  const cssOf = (background_color: string, dark_mode: boolean) =>
    menuCss({ ...theme, background_color, dark_mode });
  const query = '@media screen and (prefers-color-scheme: dark)';
  assert.ok(!cssOf('#fffdf8', false).includes(query));
  assert.ok(!cssOf('#101010', true).includes(query));
  const [, dark = ''] = cssOf('#fffdf8', true).split(query);
  const color = (name: string) => new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(dark)?.[1] ?? '';
  assert.match(dark, /color-scheme: dark;/);
  assert.ok(luminance(color('page')) < 0.02, color('page'));
  for (const [name, ratio] of Object.entries({ ink: 7, muted: 4.5, brand: 4.5, accent: 4.5 })) {
    assert.ok(contrast(color(name), color('page')) >= ratio, name);
  }
});
