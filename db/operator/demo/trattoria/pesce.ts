import type { DemoSection } from '../restaurant.ts';

export const pesce: DemoSection = {
  name: { it: 'Pesce', en: 'Fish', fr: 'Poissons', de: 'Fisch', es: 'Pescados' },
  menu_type: 'standard',
  notes: "Il pescato viene da Anzio e Fiumicino e dipende dall'asta del giorno.",
  types: [],
  dishes: [
    {
      name: {
        it: 'Baccalà alla romana',
        en: 'Roman-style salt cod',
        fr: 'Morue à la romaine',
        de: 'Klippfisch auf römische Art',
        es: 'Bacalao al estilo de Roma',
      },
      description: {
        it: 'Baccalà infarinato e poi stufato con pomodoro, cipolla, pinoli e uvetta.',
        en: 'Floured salt cod, gently stewed with tomato, onion, pine nuts and raisins.',
        fr: "Morue farinée puis mijotée à la tomate, à l'oignon, aux pignons et aux raisins secs.",
        de: 'Bemehlter Klippfisch, sanft geschmort mit Tomaten, Zwiebeln, Pinienkernen und Rosinen.',
        es: 'Bacalao enharinado y guisado con tomate, cebolla, piñones y pasas.',
      },
      price: 17.5,
      allergens: ['cereali_glutine', 'pesce', 'solfiti'],
    },
    {
      name: {
        it: "Spigola all'acqua pazza",
        en: 'Sea bass in acqua pazza',
        fr: "Bar à l'acqua pazza",
        de: "Wolfsbarsch all'acqua pazza",
        es: 'Lubina al acqua pazza',
      },
      description: {
        it: 'Spigola intera in un brodetto di pomodorini, aglio, prezzemolo e vino bianco.',
        en: 'Whole sea bass poached in a light broth of cherry tomatoes, garlic, parsley and white wine.',
        fr: 'Bar entier poché dans un court-bouillon de tomates cerises, ail, persil et vin blanc.',
        de: 'Ganzer Wolfsbarsch, pochiert in einem Sud aus Kirschtomaten, Knoblauch, Petersilie und Weißwein.',
        es: 'Lubina entera en un caldito de tomates cherry, ajo, perejil y vino blanco.',
      },
      price: 22.5,
      allergens: ['pesce', 'solfiti'],
      is_recommended: true,
    },
    {
      name: {
        it: 'Frittura di calamari e gamberi',
        en: 'Fried squid and prawns',
        fr: 'Friture de calamars et crevettes',
        de: 'Frittierte Kalmare und Garnelen',
        es: 'Fritura de calamares y gambas',
      },
      description: {
        it: 'Calamari e gamberi rosa passati nella semola, fritti asciutti e serviti nella carta gialla.',
        en: 'Squid and pink prawns dusted in semolina, fried crisp and dry, served in yellow paper.',
        fr: 'Calamars et crevettes roses passés à la semoule, frits bien secs et servis dans un papier jaune.',
        de: 'Kalmare und rosa Garnelen, in Hartweizengrieß gewendet, trocken frittiert und in gelbem Papier serviert.',
        es: 'Calamares y gambas blancas pasados por sémola, bien secos y crujientes, servidos en papel de estraza.',
      },
      price: 18.5,
      allergens: ['cereali_glutine', 'crostacei', 'molluschi'],
    },
    {
      name: {
        it: 'Seppie con i piselli',
        en: 'Cuttlefish with peas',
        fr: 'Seiches aux petits pois',
        de: 'Sepien mit Erbsen',
        es: 'Sepia con guisantes',
      },
      description: {
        it: 'Seppie di paranza stufate piano con piselli dolci, pomodoro e vino bianco.',
        en: 'Small-boat cuttlefish slowly stewed with sweet peas, tomato and white wine.',
        fr: 'Seiches de petite pêche mijotées doucement avec petits pois, tomate et vin blanc.',
        de: 'Sepien aus kleiner Küstenfischerei, langsam geschmort mit süßen Erbsen, Tomaten und Weißwein.',
        es: 'Sepia de bajura guisada a fuego lento con guisantes dulces, tomate y vino blanco.',
      },
      price: 16,
      allergens: ['molluschi', 'solfiti'],
    },
    {
      name: {
        it: 'Tortino di alici e indivia',
        en: 'Anchovy and endive bake',
        fr: "Gratin d'anchois et de scarole",
        de: 'Auflauf von Sardellen und Endivie',
        es: 'Pastel de boquerones y escarola',
      },
      description: {
        it: 'Antica ricetta del ghetto: strati di alici fresche e indivia, cotti al forno finché dorano.',
        en: 'An old recipe of the Roman ghetto: layers of fresh anchovies and endive, baked until golden.',
        fr: "Vieille recette du ghetto romain : couches d'anchois frais et de scarole, dorées au four.",
        de: 'Ein altes Rezept aus dem römischen Ghetto: frische Sardellen und Endivie, geschichtet und goldbraun gebacken.',
        es: 'Antigua receta del gueto romano: capas de boquerones frescos y escarola, doradas al horno.',
      },
      price: 14,
      allergens: ['pesce', 'cereali_glutine'],
    },
  ],
  children: [],
};
