import { labels } from '../../../db/schema/field.ts';
import { theme } from '../../../db/schema/theme.ts';
import { type Content, html } from '../../http/html.ts';
import { contrast, parseColor } from '../../theme/color.ts';
import { type Draft, one } from '../forms/draft.ts';
import type { PanelRequest } from '../panel-request.ts';

/** The least contrast between a text and its background (WCAG 2, AA). */
const ENOUGH = 4.5;
const HEX = /^#[0-9a-f]{6}$/i;

const WARNING = labels(
  '«{one}» e «{other}» hanno poco contrasto: {ratio}. Per leggere bene serve 4,5. Il menù schiarisce o scurisce il testo finché non si legge bene.',
  '“{one}” and “{other}” have little contrast: {ratio}. Easy reading needs 4.5. The menu lightens or darkens the text until it can be read.',
  '« {one} » et « {other} » ont peu de contraste : {ratio}. Pour bien lire, il faut 4,5. La carte éclaircit ou fonce le texte jusqu’à ce qu’il soit lisible.',
  '„{one}“ und „{other}“ haben wenig Kontrast: {ratio}. Gut lesbar ist Text erst ab 4,5. Die Karte macht den Text heller oder dunkler, bis er lesbar ist.',
  '«{one}» y «{other}» tienen poco contraste: {ratio}. Para leer bien hace falta 4,5. La carta aclara u oscurece el texto hasta que se lea.',
);

/** Says which of a theme's colours cannot be read on its background. */
export function contrastWarnings({ say, texts }: PanelRequest, draft: Draft): Content {
  const { fields } = theme;
  const format = new Intl.NumberFormat(texts.language, {
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
