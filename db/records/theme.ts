import * as v from 'valibot';

export const LAYOUT_VARIANTS = ['classic', 'grid', 'compact', 'slides'] as const;
export const HEADER_STYLES = ['centered', 'left', 'banner', 'minimal'] as const;

export const colorSchema = v.pipe(v.string(), v.regex(/^#[0-9A-Fa-f]{6}$/));

/** How the restaurant's menu looks, as `/theme` and `data.theme` of `/menu` show it (SPEC, "Theme"). */
export const themeSchema = v.object({
  id: v.pipe(v.number(), v.integer()),
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
