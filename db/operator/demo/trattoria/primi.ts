import type { DemoSection } from '../restaurant.ts';
import { untranslated } from '../untranslated.ts';
import { pastaFresca } from './pasta-fresca.ts';
import { risottiEZuppe } from './risotti-e-zuppe.ts';

export const primi: DemoSection = {
  name: {
    it: 'Primi piatti',
    en: 'First courses',
    fr: 'Premiers plats',
    de: 'Erste Gänge',
    es: 'Primeros platos',
  },
  menu_type: 'standard',
  notes: 'Su richiesta tutti i primi con pasta secca si fanno anche senza glutine.',
  show_subcategories: true,
  types: [
    {
      name: {
        it: 'I classici romani',
        en: 'The Roman classics',
        fr: 'Les classiques romains',
        de: 'Römische Klassiker',
        es: 'Los clásicos romanos',
      },
    },
    {
      name: {
        it: 'Di mare e di orto',
        en: 'From sea and garden',
        fr: 'De la mer et du potager',
        de: 'Aus Meer und Garten',
        es: 'Del mar y de la huerta',
      },
    },
  ],
  dishes: [
    {
      name: untranslated('Rigatoni alla carbonara'),
      description: {
        it: "Guanciale croccante, tuorlo d'uovo, pecorino romano e pepe nero: niente panna, mai.",
        en: 'Crisp guanciale, egg yolk, pecorino romano and black pepper: no cream, not ever.',
        fr: "Guanciale croustillant, jaune d'œuf, pecorino romano et poivre noir : jamais de crème.",
        de: 'Knuspriger Guanciale, Eigelb, Pecorino Romano und schwarzer Pfeffer – Sahne kommt uns nie hinein.',
        es: 'Guanciale crujiente, yema de huevo, pecorino romano y pimienta negra: sin nata, nunca.',
      },
      price: 13,
      allergens: ['cereali_glutine', 'uova', 'latte'],
      type: 'I classici romani',
      is_recommended: true,
    },
    {
      name: untranslated("Bucatini all'amatriciana"),
      description: {
        it: 'Guanciale sfumato al vino bianco, pomodoro San Marzano, peperoncino e una nevicata di pecorino.',
        en: 'Guanciale deglazed with white wine, San Marzano tomatoes, chilli and a snowfall of pecorino.',
        fr: 'Guanciale déglacé au vin blanc, tomates San Marzano, piment et une pluie de pecorino.',
        de: 'Mit Weißwein abgelöschter Guanciale, San-Marzano-Tomaten, Peperoncino und reichlich Pecorino.',
        es: 'Guanciale con un toque de vino blanco, tomate San Marzano, guindilla y una nevada de pecorino.',
      },
      price: 12.5,
      allergens: ['cereali_glutine', 'latte', 'solfiti'],
      type: 'I classici romani',
      is_recommended: true,
    },
    {
      name: untranslated('Tonnarelli cacio e pepe'),
      description: {
        it: "Pasta quadrata all'uovo mantecata con pecorino romano, acqua di cottura e pepe appena pestato.",
        en: 'Square-cut egg spaghetti whisked with pecorino romano, its cooking water and freshly crushed pepper.',
        fr: 'Spaghettis carrés aux œufs, liés au pecorino romano, à leur eau de cuisson et au poivre concassé.',
        de: 'Vierkantige Eierspaghetti, cremig gerührt mit Pecorino Romano, Kochwasser und frisch gestoßenem Pfeffer.',
        es: 'Espaguetis cuadrados al huevo, ligados con pecorino romano, agua de cocción y pimienta recién majada.',
      },
      price: 12,
      allergens: ['cereali_glutine', 'uova', 'latte'],
      type: 'I classici romani',
    },
    {
      name: untranslated('Mezze maniche alla gricia'),
      description: {
        it: "L'amatriciana prima del pomodoro: guanciale, pecorino e pepe su pasta corta rigata.",
        en: 'Amatriciana before the tomato arrived: guanciale, pecorino and pepper on short ridged pasta.',
        fr: "L'amatriciana d'avant la tomate : guanciale, pecorino et poivre sur des pâtes courtes striées.",
        de: 'Die Amatriciana vor der Tomate: Guanciale, Pecorino und Pfeffer auf kurzer, geriffelter Pasta.',
        es: 'La amatriciana antes del tomate: guanciale, pecorino y pimienta sobre pasta corta estriada.',
      },
      price: 12,
      allergens: ['cereali_glutine', 'latte'],
      type: 'I classici romani',
    },
    {
      name: {
        it: 'Rigatoni con la pajata',
        en: 'Rigatoni with pajata',
        fr: 'Rigatoni à la pajata',
        de: 'Rigatoni mit Pajata',
        es: 'Rigatoni con pajata',
      },
      description: {
        it: "Budella di vitello da latte stufate nel sugo di pomodoro, come s'usa a Testaccio.",
        en: 'Milk-fed veal intestines stewed in tomato sauce, the way it is done in Testaccio.',
        fr: 'Tripes de veau de lait mijotées à la sauce tomate, comme le veut le quartier de Testaccio.',
        de: 'Gedärm vom Milchkalb, in Tomatensauce geschmort, wie man es im Viertel Testaccio macht.',
        es: 'Tripas de ternera lechal guisadas en salsa de tomate, como se hace en el Testaccio.',
      },
      price: 14.5,
      allergens: ['cereali_glutine', 'latte', 'sedano', 'solfiti'],
      type: 'I classici romani',
    },
    {
      name: {
        it: 'Spaghetti alle vongole veraci',
        en: 'Spaghetti with clams',
        fr: 'Spaghettis aux palourdes',
        de: 'Spaghetti mit Venusmuscheln',
        es: 'Espaguetis con almejas',
      },
      description: {
        it: 'Vongole veraci aperte al momento, aglio, prezzemolo e un goccio di Frascati, in bianco.',
        en: 'Carpet-shell clams opened to order with garlic, parsley and a splash of Frascati, no tomato.',
        fr: 'Palourdes ouvertes à la minute, ail, persil et un trait de Frascati, sans tomate.',
        de: 'Frisch geöffnete Venusmuscheln mit Knoblauch, Petersilie und einem Schuss Frascati, ohne Tomaten.',
        es: 'Almejas abiertas al momento con ajo, perejil y un chorrito de Frascati, sin tomate.',
      },
      price: 16.5,
      allergens: ['cereali_glutine', 'molluschi', 'solfiti'],
      type: 'Di mare e di orto',
    },
    {
      name: untranslated("Penne all'arrabbiata"),
      description: {
        it: 'Pomodoro, aglio e peperoncino in quantità: la pasta arrabbiata per chi ama il piccante.',
        en: 'Tomato, garlic and plenty of chilli: the “angry” pasta for those who like it hot.',
        fr: 'Tomate, ail et piment à volonté : les pâtes « en colère », pour les amateurs de sensations fortes.',
        de: 'Tomaten, Knoblauch und viel Peperoncino: die „zornige“ Pasta für alle, die es scharf mögen.',
        es: 'Tomate, ajo y guindilla en abundancia: la pasta «enfadada» para quien ama el picante.',
      },
      price: 10.5,
      allergens: ['cereali_glutine'],
      type: 'Di mare e di orto',
    },
    {
      name: {
        it: 'Spaghettoni con alici e pane croccante',
        en: 'Spaghettoni with anchovies and crisp breadcrumbs',
        fr: 'Spaghettoni aux anchois et chapelure croustillante',
        de: 'Spaghettoni mit Sardellen und knusprigen Bröseln',
        es: 'Spaghettoni con anchoas y pan crujiente',
      },
      description: {
        it: 'Alici fresche, pomodorini, scorza di limone e mollica di pane saltata in padella.',
        en: 'Fresh anchovies, cherry tomatoes, lemon zest and breadcrumbs toasted in the pan.',
        fr: 'Anchois frais, tomates cerises, zeste de citron et mie de pain dorée à la poêle.',
        de: 'Frische Sardellen, Kirschtomaten, Zitronenschale und in der Pfanne geröstete Brotkrumen.',
        es: 'Boquerones frescos, tomatitos, ralladura de limón y miga de pan dorada en la sartén.',
      },
      price: 13.5,
      allergens: ['cereali_glutine', 'pesce'],
      type: 'Di mare e di orto',
    },
  ],
  children: [pastaFresca, risottiEZuppe],
};
