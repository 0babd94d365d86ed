import type { DemoSection } from '../restaurant.ts';

export const nachspeisen: DemoSection = {
  name: { de: 'Nachspeisen', it: 'Dolci' },
  menu_type: 'standard',
  notes: '',
  types: [],
  dishes: [
    {
      name: { de: 'Apfelstrudel', it: 'Strudel di mele' },
      description: {
        de: 'Mürber Strudel mit Südtiroler Äpfeln, Rosinen und Pinienkernen, lauwarm mit Vanillesauce.',
        it: 'Strudel di pasta frolla con mele altoatesine, uvetta e pinoli, tiepido con salsa alla vaniglia.',
      },
      price: 5.8,
      allergens: ['cereali_glutine', 'uova', 'latte', 'solfiti'],
      is_recommended: true,
    },
    {
      name: { de: 'Kaiserschmarrn', it: 'Kaiserschmarrn, frittata dolce' },
      description: {
        de: 'Luftiger, in Butter gerissener Pfannkuchen mit Preiselbeeren, für zwei Personen gut geeignet.',
        it: 'Soffice frittata dolce strappata nel burro, con mirtilli rossi, ideale anche per due.',
      },
      price: 11.5,
      allergens: ['cereali_glutine', 'uova', 'latte'],
    },
    {
      name: { de: 'Tiramisu', it: 'Tiramisù' },
      description: {
        de: 'Mascarponecreme, Löffelbiskuits, Espresso und ein Schuss Rum, nach Nonnas Rezept.',
        it: 'Crema al mascarpone, savoiardi, espresso e un goccio di rum, ricetta della nonna.',
      },
      price: 6.2,
      allergens: ['cereali_glutine', 'uova', 'latte'],
    },
    {
      name: { de: 'Buchweizentorte', it: 'Torta di grano saraceno' },
      description: {
        de: 'Saftige Torte aus Buchweizen und Haselnüssen, gefüllt mit Preiselbeermarmelade, ohne Weizenmehl.',
        it: 'Torta morbida di grano saraceno e nocciole, farcita di confettura di mirtilli rossi, senza frumento.',
      },
      price: 5.5,
      allergens: ['uova', 'latte', 'frutta_guscio'],
    },
  ],
  children: [],
};
