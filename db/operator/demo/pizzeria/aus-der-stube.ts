import type { DemoSection } from '../restaurant.ts';

export const ausDerStube: DemoSection = {
  name: { de: 'Aus der Stube', it: 'Dalla stube' },
  menu_type: 'standard',
  notes: 'Warme Küche für alle, die keine Pizza möchten.',
  time_visibility: { start: '18:00', end: '21:30' },
  types: [],
  dishes: [
    {
      name: { de: 'Schlutzkrapfen', it: 'Schlutzkrapfen, mezzelune di spinaci' },
      description: {
        de: 'Halbmonde aus Roggenteig mit Spinat und Topfen, brauner Butter und Schnittlauch.',
        it: 'Mezzelune di pasta di segale con spinaci e ricotta, burro fuso ed erba cipollina.',
      },
      price: 12.8,
      allergens: ['cereali_glutine', 'uova', 'latte'],
      is_recommended: true,
    },
    {
      name: { de: 'Knödeltris', it: 'Tris di canederli' },
      description: {
        de: 'Je ein Knödel mit Speck, Spinat und Käse, dazu Krautsalat und braune Butter.',
        it: 'Un canederlo allo speck, uno agli spinaci, uno al formaggio, con insalata di cavolo e burro fuso.',
      },
      price: 13.5,
      allergens: ['cereali_glutine', 'uova', 'latte'],
    },
    {
      name: { de: 'Rindsgulasch mit Polenta', it: 'Gulasch di manzo con polenta' },
      description: {
        de: 'Vier Stunden in Vernatsch geschmortes Rindfleisch mit Kümmel, dazu cremige Polenta.',
        it: 'Manzo brasato quattro ore nella Schiava con cumino, servito con polenta cremosa.',
      },
      price: 16.9,
      allergens: ['latte', 'sedano', 'solfiti'],
    },
  ],
  children: [],
};
