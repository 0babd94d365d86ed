import type { DemoSection } from '../restaurant.ts';
import { untranslated } from '../untranslated.ts';

export const bianchi: DemoSection = {
  name: {
    it: 'Bianchi',
    en: 'White wines',
    fr: 'Vins blancs',
    de: 'Weißweine',
    es: 'Vinos blancos',
  },
  menu_type: 'wine',
  notes: '',
  types: [],
  dishes: [
    {
      name: untranslated('Frascati Superiore DOCG 2023'),
      description: {
        it: 'Malvasia puntinata su tufo: pesca bianca, salvia e la mandorla tipica dei Castelli.',
        en: 'Malvasia puntinata on tuff soil: white peach, sage and the almond typical of the Castelli.',
        fr: "Malvasia puntinata sur tuf : pêche blanche, sauge et l'amande typique des Castelli.",
        de: 'Malvasia Puntinata auf Tuff: weißer Pfirsich, Salbei und die typische Mandel der Castelli.',
        es: 'Malvasía puntinata sobre toba: melocotón blanco, salvia y la almendra típica de los Castelli.',
      },
      price: 22,
      allergens: ['solfiti'],
      winery: "Cantina Colle Sant'Anna",
      is_recommended: true,
    },
    {
      name: untranslated('Lazio IGT Malvasia Puntinata «Grotta Vecchia» 2022'),
      description: {
        it: 'Macerata tre giorni sulle bucce: tè, scorza di agrumi e un finale quasi salato.',
        en: 'Three days on the skins: black tea, citrus peel and an almost salty finish.',
        fr: "Trois jours de macération : thé, écorce d'agrumes et une finale presque saline.",
        de: 'Drei Tage auf der Maische: Tee, Zitrusschale und ein beinahe salziger Abgang.',
        es: 'Tres días con los hollejos: té, piel de cítricos y un final casi salado.',
      },
      price: 27,
      allergens: ['solfiti'],
      winery: "Cantina Colle Sant'Anna",
    },
    {
      name: untranslated('Etna Bianco DOC 2022'),
      description: {
        it: 'Carricante di alta quota: limone, pietra focaia e una freschezza che taglia la frittura.',
        en: 'High-altitude Carricante: lemon, flint and a freshness that cuts through fried food.',
        fr: "Carricante d'altitude : citron, pierre à fusil et une fraîcheur qui tranche la friture.",
        de: 'Carricante aus Höhenlagen: Zitrone, Feuerstein und eine Frische, die Frittiertem Kontra gibt.',
        es: 'Carricante de altura: limón, pedernal y una frescura que limpia la fritura.',
      },
      price: 34,
      allergens: ['solfiti'],
      winery: 'Tenimenti Sciara Rossa',
    },
    {
      name: untranslated('Alto Adige DOC Gewürztraminer 2023'),
      description: {
        it: 'Rosa, litchi e zenzero: un bianco aromatico per carciofi, formaggi e piatti speziati.',
        en: 'Rose, lychee and ginger: an aromatic white for artichokes, cheeses and spiced dishes.',
        fr: 'Rose, litchi et gingembre : un blanc aromatique pour artichauts, fromages et plats épicés.',
        de: 'Rose, Litschi und Ingwer: ein aromatischer Weißer zu Artischocken, Käse und würzigen Gerichten.',
        es: 'Rosa, lichi y jengibre: un blanco aromático para alcachofas, quesos y platos especiados.',
      },
      price: 31,
      allergens: ['solfiti'],
      winery: 'Weingut Lindenstein',
    },
    {
      name: untranslated('Roero Arneis DOCG 2023'),
      description: {
        it: 'Pera, camomilla e una punta amarognola: delicato, ma con la schiena dritta.',
        en: 'Pear, chamomile and a faintly bitter edge: delicate, yet with a straight back.',
        fr: "Poire, camomille et une pointe d'amertume : délicat, mais avec du caractère.",
        de: 'Birne, Kamille und eine feine Bitternote: zart, aber mit Rückgrat bis zuletzt.',
        es: 'Pera, manzanilla y un punto amargo: delicado, pero con carácter y buena estructura.',
      },
      price: 26,
      allergens: ['solfiti'],
      winery: 'Cascina Bricco del Lupo',
    },
  ],
  children: [],
};
