import * as v from 'valibot';
import { labels, type ShownOf } from './field.ts';
import { choice, color, localizedText, requiredForm, urlOrPath } from './kinds.ts';
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
  label: labels('Aspetto', 'Appearance', 'Apparence', 'Aussehen', 'Apariencia'),
  isSingleton: true,
  isOnMenu: true,
  fields: {
    primary_color: color({
      label: labels(
        'Colore principale',
        'Primary colour',
        'Couleur principale',
        'Hauptfarbe',
        'Color principal',
      ),
      description: 'Colour of headings and of the header, `#RRGGBB`.',
      default: '#2F2A25',
    }),
    secondary_color: color({
      label: labels(
        'Colore secondario',
        'Secondary colour',
        'Couleur secondaire',
        'Zweitfarbe',
        'Color secundario',
      ),
      description: 'Colour of what stands behind the first, `#RRGGBB`.',
      default: '#6B5E52',
    }),
    accent_color: color({
      label: labels(
        'Colore d’accento',
        'Accent colour',
        'Couleur d’accent',
        'Akzentfarbe',
        'Color de acento',
      ),
      description: 'Colour of marks and links, `#RRGGBB`.',
      default: '#A63D2F',
    }),
    background_color: color({
      label: labels('Sfondo', 'Background', 'Fond', 'Hintergrund', 'Fondo'),
      description: 'Colour of the page, `#RRGGBB`.',
      default: '#FFFDF8',
    }),
    text_color: color({
      label: labels('Testo', 'Text', 'Texte', 'Text', 'Texto'),
      description: 'Colour of the texts, `#RRGGBB`.',
      default: '#221E1A',
    }),
    font_family: requiredForm(200, FONT_FAMILY, 'format', {
      label: labels('Carattere', 'Font', 'Police', 'Schriftart', 'Tipo de letra'),
      description: 'Names of fonts as CSS lists them; the first that the device has is used.',
      default: 'Georgia, serif',
    }),
    font_url: urlOrPath({
      label: labels(
        'Indirizzo del carattere',
        'Address of the font',
        'Adresse de la police',
        'Adresse der Schriftart',
        'Dirección del tipo de letra',
      ),
      description: 'A stylesheet that loads the font.',
    }),
    border_radius: requiredForm(20, CSS_LENGTH, 'format', {
      label: labels(
        'Angoli arrotondati',
        'Rounded corners',
        'Coins arrondis',
        'Runde Ecken',
        'Esquinas redondeadas',
      ),
      description: 'How round corners are: a length of CSS, such as `8px`.',
      default: '8px',
    }),
    layout_variant: choice(v.picklist(LAYOUT_VARIANTS), {
      label: labels('Disposizione', 'Layout', 'Disposition', 'Anordnung', 'Disposición'),
      description: 'How the page arranges dishes.',
      default: 'classic',
    }),
    header_style: choice(v.picklist(HEADER_STYLES), {
      label: labels('Intestazione', 'Header', 'En-tête', 'Kopfzeile', 'Encabezado'),
      description: 'How the page begins.',
      default: 'centered',
    }),
    footer_text: localizedText(2_000, {
      label: labels(
        'Testo a piè di pagina',
        'Footer text',
        'Texte de pied de page',
        'Fußzeile',
        'Texto al pie',
      ),
      description: 'What stands at the end of the menu.',
    }),
  },
  example: { id: 1, primary_color: '#7A1F2B', layout_variant: 'grid' },
});
export type Theme = ShownOf<typeof theme.fields>;
