import assert from 'node:assert/strict';
import { test } from 'node:test';
import { theme } from '../../../db/schema/theme.ts';
import { checkInput } from '../../../db/schema/validation/check-input.ts';
import { READY_THEMES } from '../../../gateway/panel/records/ready-themes.ts';
import { contrast, parseColor } from '../../../gateway/theme/color.ts';
import { FONT_CHOICES } from '../../../gateway/theme/own-fonts.ts';

test('each ready theme is valid, can be read, and has a font that we serve', () => {
  for (const [name, one] of Object.entries(READY_THEMES)) {
    const house = { fallbackLocale: 'it', defaultLocale: 'it', currency: 'EUR' } as const;
    assert.ok(!('errors' in checkInput(theme.change, { ...one }, house as never)), name);
    const ground = parseColor(one.background_color);
    for (const color of [one.text_color, one.primary_color, one.accent_color]) {
      const ratio = contrast(parseColor(color), ground);
      assert.ok(ratio >= 4.5, `${name}: ${color} ${ratio}`);
    }
    assert.ok(
      FONT_CHOICES.some(({ value }) => value === one.font_family),
      name,
    );
  }
});
