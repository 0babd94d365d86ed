import type { DemoSection } from '../restaurant.ts';

export const getraenke: DemoSection = {
  name: { de: 'Getränke', it: 'Bevande' },
  menu_type: 'standard',
  notes: '',
  types: [
    { name: { de: 'Alkoholfrei', it: 'Analcolici' } },
    { name: { de: 'Vom Fass', it: 'Alla spina' } },
  ],
  dishes: [
    {
      name: { de: 'Naturtrüber Apfelsaft', it: 'Succo di mela torbido' },
      description: {
        de: 'Von eigenen Bäumen in Eppan gepresst, pur oder gespritzt, im 0,4-Liter-Glas.',
        it: 'Spremuto dai nostri alberi di Appiano, liscio o con acqua frizzante, bicchiere da 0,4 litri.',
      },
      price: 3.9,
      allergens: [],
      type: 'Analcolici',
    },
    {
      name: { de: 'Holundersaft', it: 'Succo di sambuco' },
      description: {
        de: 'Hausgemachter Sirup aus Holunderblüten mit Zitrone und kaltem Quellwasser, 0,4 Liter.',
        it: 'Sciroppo di fiori di sambuco fatto in casa, limone e acqua fredda di sorgente, 0,4 litri.',
      },
      price: 3.6,
      allergens: [],
      type: 'Analcolici',
    },
    {
      name: { de: 'Espresso', it: 'Espresso' },
      description: {
        de: 'Kräftige Mischung aus einer kleinen Rösterei in Bozen, auch entkoffeiniert erhältlich.',
        it: 'Miscela decisa di una piccola torrefazione di Bolzano, disponibile anche decaffeinata.',
      },
      price: 1.5,
      allergens: [],
      type: 'Analcolici',
    },
    {
      name: { de: 'Helles', it: 'Birra chiara' },
      description: {
        de: 'Mildes, malziges Bier einer Brauerei aus dem Tal, frisch gezapft, 0,5 Liter.',
        it: 'Birra morbida e maltata di un birrificio della valle, appena spillata, 0,5 litri.',
      },
      price: 4.9,
      allergens: ['cereali_glutine'],
      type: 'Alla spina',
    },
    {
      name: { de: 'Weißbier', it: 'Birra di frumento' },
      description: {
        de: 'Naturtrübes Hefeweizen mit Noten von Banane und Nelke, im hohen Glas, 0,5 Liter.',
        it: 'Birra di frumento non filtrata, con note di banana e chiodo di garofano, 0,5 litri.',
      },
      price: 5.2,
      allergens: ['cereali_glutine'],
      type: 'Alla spina',
    },
  ],
  children: [],
};
