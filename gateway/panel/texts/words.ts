import { additives } from '../../../db/schema/additives.ts';
import { type Labels, labels } from '../../../db/schema/field.ts';
import { dishLabels } from '../../../db/schema/labels.ts';
import { LOCALES } from '../../../db/schema/locale.ts';
import { LANGUAGE_NAMES } from './choose.ts';

const languages = Object.fromEntries(
  LOCALES.map((locale) => {
    const name = LANGUAGE_NAMES[locale];
    return [locale, labels(name, name, name, name, name)];
  }),
);

/** The words of choices, by field and word. */
const WORDS: Record<string, Record<string, Labels>> = {
  additives: additives.names,
  labels: dishLabels.names,
  default_locale: languages,
  supported_locales: languages,
  menu_type: {
    standard: labels(
      'Piatti e bevande',
      'Food and drinks',
      'Plats et boissons',
      'Speisen und Getränke',
      'Platos y bebidas',
    ),
    wine: labels('Vini', 'Wines', 'Vins', 'Weine', 'Vinos'),
  },
  price_unit: {
    piece: labels('al pezzo', 'per piece', 'la pièce', 'pro Stück', 'por pieza'),
    person: labels('a persona', 'per person', 'par personne', 'pro Person', 'por persona'),
    '100g': labels('all’etto', 'per 100 g', 'les 100 g', 'pro 100 g', 'por 100 g'),
    kg: labels('al chilo', 'per kilo', 'le kilo', 'pro Kilo', 'por kilo'),
    glass: labels('al calice', 'per glass', 'le verre', 'pro Glas', 'por copa'),
    carafe: labels('la caraffa', 'per carafe', 'la carafe', 'pro Karaffe', 'por jarra'),
    bottle: labels('la bottiglia', 'per bottle', 'la bouteille', 'pro Flasche', 'por botella'),
    half_litre: labels(
      'mezzo litro',
      'per half litre',
      'le demi-litre',
      'pro halben Liter',
      'por medio litro',
    ),
    litre: labels('al litro', 'per litre', 'le litre', 'pro Liter', 'por litro'),
  },
  layout_variant: {
    classic: labels('Classica', 'Classic', 'Classique', 'Klassisch', 'Clásica'),
    grid: labels('Griglia', 'Grid', 'Grille', 'Raster', 'Cuadrícula'),
    compact: labels('Compatta', 'Compact', 'Compacte', 'Kompakt', 'Compacta'),
    slides: labels('Pagine da sfogliare', 'Slides', 'Diapositives', 'Folien', 'Diapositivas'),
  },
  header_style: {
    centered: labels('Al centro', 'Centred', 'Centré', 'Mittig', 'Centrado'),
    left: labels('A sinistra', 'On the left', 'À gauche', 'Links', 'A la izquierda'),
    banner: labels('Fascia di colore', 'Banner', 'Bandeau', 'Farbband', 'Franja de color'),
    minimal: labels('Essenziale', 'Minimal', 'Minimal', 'Schlicht', 'Mínimo'),
  },
};

/** The text for a word of a choice; the word itself when it has no text yet. */
export function wordLabel(field: string, word: string): Labels {
  return WORDS[field]?.[word] ?? labels(word, word, word, word, word);
}
