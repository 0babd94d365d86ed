import * as v from 'valibot';
import type { ShownOf } from './field.ts';
import { choice, color, flag, localizedText, requiredForm, urlOrPath } from './kinds.ts';
import { defineRecord } from './record.ts';

export const LAYOUT_VARIANTS = ['classic', 'grid', 'compact', 'slides'] as const;
export const HEADER_STYLES = ['centered', 'left', 'banner', 'minimal'] as const;

/** Names of fonts, quoted or not; nothing that could end the declaration it is put into. */
export const FONT_FAMILY = /^[\p{L}\p{M}\p{N} ,'"_.-]+$/u;
export const CSS_LENGTH =
  /^(0|([0-9]{0,4}\.)?[0-9]{1,4}(px|em|rem|%|pt|pc|cm|mm|in|vh|vw|vmin|vmax|ch|ex))$/;

/** How the restaurant's menu looks (SPEC, "Theme"). */
export const theme = defineRecord({
  resource: 'theme',
  table: 'themes',
  schema: 'Theme',
  one: 'the theme',
  label: 'records.theme',
  isSingleton: true,
  isOnMenu: true,
  fields: {
    primary_color: color({
      description: 'Colour of headings and of the header, `#RRGGBB`.',
      default: '#2F2A25',
    }),
    secondary_color: color({
      description: 'Colour of what stands behind the first, `#RRGGBB`.',
      default: '#6B5E52',
    }),
    accent_color: color({
      description: 'Colour of marks and links, `#RRGGBB`.',
      default: '#A63D2F',
    }),
    background_color: color({
      description: 'Colour of the page, `#RRGGBB`.',
      default: '#FFFDF8',
    }),
    text_color: color({
      description: 'Colour of the texts, `#RRGGBB`.',
      default: '#221E1A',
    }),
    font_family: requiredForm(200, FONT_FAMILY, 'format', {
      description: 'Names of fonts as CSS lists them; the first that the device has is used.',
      default: 'Georgia, serif',
    }),
    font_url: urlOrPath('A stylesheet that loads the font.'),
    border_radius: requiredForm(20, CSS_LENGTH, 'format', {
      description: 'How round corners are: a length of CSS, such as `8px`.',
      default: '8px',
    }),
    layout_variant: choice(v.picklist(LAYOUT_VARIANTS), {
      description: 'How the page arranges dishes.',
      default: 'classic',
    }),
    header_style: choice(v.picklist(HEADER_STYLES), {
      description: 'How the page begins.',
      default: 'centered',
    }),
    dark_mode: flag(
      'Whether guests whose device is dark see a light theme in dark colours. They are derived from it.',
    ),
    footer_text: localizedText(2_000, 'What stands at the end of the menu.'),
  },
  example: { id: 1, primary_color: '#7A1F2B', layout_variant: 'grid' },
});
export type Theme = ShownOf<typeof theme.fields>;
