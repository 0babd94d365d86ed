import { theme } from '../../../db/schema/theme.ts';
import { type Content, html } from '../../http/html.ts';
import { contrast, parseColor } from '../../theme/color.ts';
import { type FormDraft, one } from '../forms/draft.ts';
import type { PanelRequest } from '../panel-request.ts';

/** The least contrast between a text and its background (WCAG 2, AA). */
const ENOUGH = 4.5;
const HEX = /^#[0-9a-f]{6}$/i;

const WARNING = 'appearance.contrast';

/** Says which of a theme's colours cannot be read on its background. */
export function contrastWarnings({ say, language }: PanelRequest, draft: FormDraft): Content {
  const { fields } = theme;
  const format = new Intl.NumberFormat(language, {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
  const ground = one(draft, 'background_color');
  if (!HEX.test(ground)) return null;
  const found = (['text_color', 'primary_color', 'accent_color'] as const).flatMap((name) => {
    const color = one(draft, name);
    if (!HEX.test(color)) return [];
    const ratio = contrast(parseColor(color), parseColor(ground));
    if (ratio >= ENOUGH) return [];
    const values = {
      one: say(fields[name].options.label),
      other: say(fields.background_color.options.label),
      ratio: format.format(ratio),
    };
    return [html`<li>${say(WARNING, values)}</li>`];
  });
  return found.length > 0 && html`<ul class="warnings">${found}</ul>`;
}
