import type { DemoSection } from '../restaurant.ts';

export const vorspeisen: DemoSection = {
  name: { de: 'Vorspeisen', it: 'Antipasti' },
  menu_type: 'standard',
  notes: 'Dazu reichen wir hausgebackenes Schüttelbrot.',
  types: [],
  dishes: [
    {
      name: { de: 'Südtiroler Speckbrettl', it: 'Tagliere di speck altoatesino' },
      description: {
        de: 'Bauernspeck, Kaminwurzen, Graukäse mit Zwiebeln, Essiggurken und Kren auf dem Holzbrett.',
        it: 'Speck contadino, Kaminwurzen, graukäse con cipolla, cetriolini e cren sul tagliere di legno.',
      },
      price: 14.5,
      allergens: ['cereali_glutine', 'latte', 'senape', 'solfiti'],
      is_recommended: true,
    },
    {
      name: { de: 'Rote-Bete-Carpaccio', it: 'Carpaccio di barbabietola' },
      description: {
        de: 'Im Ofen gegarte Rote Bete, Ziegenfrischkäse vom Hof, Walnüsse und Apfelessig-Dressing.',
        it: "Barbabietola cotta al forno, caprino di maso, noci e condimento all'aceto di mele.",
      },
      price: 10.8,
      allergens: ['latte', 'frutta_guscio'],
    },
    {
      name: { de: 'Bruschetta mit Pfifferlingen', it: 'Bruschetta ai finferli' },
      description: {
        de: 'Geröstetes Roggenbrot, in Butter geschwenkte Pfifferlinge, Schnittlauch und Bergkäse.',
        it: 'Pane di segale tostato, finferli saltati al burro, erba cipollina e formaggio di malga.',
      },
      price: 9.2,
      allergens: ['cereali_glutine', 'latte'],
    },
    {
      name: { de: 'Krautsalat mit Speck', it: 'Insalata di cavolo cappuccio con speck' },
      description: {
        de: 'Fein gehobeltes Weißkraut mit Kümmel, Weinessig und warm ausgelassenen Speckwürfeln.',
        it: 'Cavolo cappuccio tagliato fine con cumino, aceto di vino e dadini di speck caldi.',
      },
      price: 6.5,
      allergens: ['solfiti'],
    },
  ],
  children: [],
};
