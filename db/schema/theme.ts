import * as v from 'valibot';
import { integerSchema } from './record-id.ts';
import { oneOf, requiredForm, text, urlOrPath } from './validation/input-fields.ts';

const LAYOUT_VARIANTS = ['classic', 'grid', 'compact', 'slides'] as const;
const HEADER_STYLES = ['centered', 'left', 'banner', 'minimal'] as const;

const COLOR = /^#[0-9A-Fa-f]{6}$/;
const colorSchema = v.pipe(v.string(), v.regex(COLOR));

/** How the restaurant's menu looks, as `/theme` and `data.theme` of `/menu` show it (SPEC, "Theme"). */
export const themeSchema = v.object({
  id: integerSchema,
  primary_color: colorSchema,
  secondary_color: colorSchema,
  accent_color: colorSchema,
  background_color: colorSchema,
  text_color: colorSchema,
  font_family: v.string(),
  font_url: v.string(),
  border_radius: v.string(),
  layout_variant: v.picklist(LAYOUT_VARIANTS),
  header_style: v.picklist(HEADER_STYLES),
  footer_text: v.string(),
});
export type Theme = v.InferOutput<typeof themeSchema>;

const color = () => requiredForm(7, COLOR, 'color');
/** Names of fonts, quoted or not; nothing that could end the declaration it is put into. */
export const FONT_FAMILY = /^[\p{L}\p{M}\p{N} ,'"_.-]+$/u;
export const CSS_LENGTH =
  /^(0|([0-9]{0,4}\.)?[0-9]{1,4}(px|em|rem|%|pt|pc|cm|mm|in|vh|vw|vmin|vmax|ch|ex))$/;

/** The theme as the admin API takes it. */
export const themeInputSchema = v.object({
  primary_color: color(),
  secondary_color: color(),
  accent_color: color(),
  background_color: color(),
  text_color: color(),
  font_family: requiredForm(200, FONT_FAMILY, 'format'),
  font_url: urlOrPath(),
  border_radius: requiredForm(20, CSS_LENGTH, 'format'),
  layout_variant: oneOf(LAYOUT_VARIANTS),
  header_style: oneOf(HEADER_STYLES),
  footer_text: text(2_000),
});
