import type { DemoSection } from '../restaurant.ts';
import { untranslated } from '../untranslated.ts';

export const pizze: DemoSection = {
  name: {
    it: 'Pizze e focacce',
    en: 'Pizzas and focaccias',
    fr: 'Pizzas et focaccias',
    de: 'Pizzen und Focacce',
    es: 'Pizzas y focaccias',
  },
  menu_type: 'standard',
  notes: 'Solo la sera: impasto romano, basso e scrocchiarello, lievitato 48 ore.',
  show_subcategories: true,
  time_visibility: { start: '19:00', end: '23:30' },
  types: [
    {
      name: {
        it: 'Rosse',
        en: 'With tomato',
        fr: 'À la tomate',
        de: 'Mit Tomatensauce',
        es: 'Con tomate',
      },
    },
    {
      name: {
        it: 'Bianche e focacce',
        en: 'White pizzas and focaccias',
        fr: 'Blanches et focaccias',
        de: 'Weiße Pizzen und Focacce',
        es: 'Blancas y focaccias',
      },
    },
  ],
  dishes: [
    {
      name: untranslated('Margherita'),
      description: {
        it: 'Pomodoro San Marzano, fiordilatte di Agerola, basilico e olio extravergine.',
        en: 'San Marzano tomato, fior di latte from Agerola, basil and extra virgin olive oil.',
        fr: "Tomate San Marzano, fior di latte d'Agerola, basilic et huile d'olive vierge extra.",
        de: 'San-Marzano-Tomaten, Fiordilatte aus Agerola, Basilikum und natives Olivenöl extra.',
        es: 'Tomate San Marzano, fior di latte de Agerola, albahaca y aceite de oliva virgen extra.',
      },
      price: 8.5,
      allergens: ['cereali_glutine', 'latte'],
      type: 'Rosse',
    },
    {
      name: untranslated('Marinara'),
      description: {
        it: 'Pomodoro, aglio, origano di montagna e olio: la più antica e la più semplice.',
        en: 'Tomato, garlic, mountain oregano and olive oil: the oldest pizza and the simplest.',
        fr: "Tomate, ail, origan de montagne et huile d'olive : la plus ancienne et la plus simple.",
        de: 'Tomaten, Knoblauch, Bergoregano und Olivenöl: die älteste und die einfachste von allen.',
        es: 'Tomate, ajo, orégano de montaña y aceite: la más antigua y la más sencilla.',
      },
      price: 7,
      allergens: ['cereali_glutine'],
      type: 'Rosse',
    },
    {
      name: untranslated('Capricciosa'),
      description: {
        it: 'Prosciutto crudo, funghi, carciofini, olive e uovo sodo, come si fa a Roma.',
        en: 'Prosciutto, mushrooms, baby artichokes, olives and hard-boiled egg, the Roman way.',
        fr: 'Jambon cru, champignons, petits artichauts, olives et œuf dur, à la façon de Rome.',
        de: 'Rohschinken, Champignons, kleine Artischocken, Oliven und hart gekochtes Ei, wie in Rom üblich.',
        es: 'Jamón curado, champiñones, alcachofitas, aceitunas y huevo duro, como se hace en Roma.',
      },
      price: 11.5,
      allergens: ['cereali_glutine', 'latte', 'uova', 'solfiti'],
      type: 'Rosse',
    },
    {
      name: {
        it: 'Fiori di zucca e alici',
        en: 'Courgette flowers and anchovies',
        fr: 'Fleurs de courgette et anchois',
        de: 'Zucchiniblüten und Sardellen',
        es: 'Flores de calabacín y anchoas',
      },
      description: {
        it: 'Base bianca con fiordilatte, fiori di zucca aperti a stella e alici di Anzio.',
        en: 'White base with fior di latte, courgette flowers opened like stars and Anzio anchovies.',
        fr: "Base blanche au fior di latte, fleurs de courgette ouvertes en étoile et anchois d'Anzio.",
        de: 'Weißer Boden mit Fiordilatte, sternförmig geöffneten Zucchiniblüten und Sardellen aus Anzio.',
        es: 'Base blanca con fior di latte, flores de calabacín abiertas en estrella y anchoas de Anzio.',
      },
      price: 11,
      allergens: ['cereali_glutine', 'latte', 'pesce'],
      type: 'Bianche e focacce',
      is_recommended: true,
    },
    {
      name: {
        it: 'Focaccia mortadella e pistacchio',
        en: 'Mortadella and pistachio focaccia',
        fr: 'Focaccia mortadelle et pistache',
        de: 'Focaccia mit Mortadella und Pistazien',
        es: 'Focaccia de mortadela y pistacho',
      },
      description: {
        it: 'Pizza bianca calda farcita con mortadella, stracciatella e granella di pistacchio.',
        en: 'Warm white pizza filled with mortadella, stracciatella cheese and crushed pistachios.',
        fr: 'Pizza blanche chaude garnie de mortadelle, stracciatella et éclats de pistache.',
        de: 'Warme Pizza bianca, gefüllt mit Mortadella, Stracciatella-Käse und gehackten Pistazien.',
        es: 'Pizza blanca caliente rellena de mortadela, stracciatella y pistacho troceado.',
      },
      price: 11.5,
      allergens: ['cereali_glutine', 'latte', 'frutta_guscio'],
      type: 'Bianche e focacce',
    },
    {
      name: {
        it: 'Pizza bianca, prosciutto e fichi',
        en: 'White pizza with prosciutto and figs',
        fr: 'Pizza blanche, jambon cru et figues',
        de: 'Pizza bianca mit Rohschinken und Feigen',
        es: 'Pizza blanca con jamón e higos',
      },
      description: {
        it: 'Il matrimonio di fine estate: fichi maturi, prosciutto dolce e pizza appena sfornata.',
        en: "Late summer's happiest marriage: ripe figs, sweet prosciutto and pizza straight from the oven.",
        fr: "Le mariage de la fin de l'été : figues mûres, jambon doux et pizza sortie du four.",
        de: 'Die Hochzeit des Spätsommers: reife Feigen, milder Rohschinken und ofenfrische Pizza.',
        es: 'El maridaje del final del verano: higos maduros, jamón dulce y pizza recién horneada.',
      },
      price: 10.5,
      allergens: ['cereali_glutine'],
      type: 'Bianche e focacce',
      is_active: false,
    },
  ],
  children: [],
};
