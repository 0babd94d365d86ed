import type { DemoSection } from '../restaurant.ts';

export const pranzo: DemoSection = {
  name: {
    it: 'Menù del pranzo',
    en: 'Lunch menu',
    fr: 'Menu du déjeuner',
    de: 'Mittagskarte',
    es: 'Menú del mediodía',
  },
  menu_type: 'standard',
  notes: 'Dal lunedì al venerdì, festivi esclusi. Coperto compreso.',
  time_visibility: { start: '12:00', end: '15:00' },
  types: [],
  dishes: [
    {
      name: {
        it: 'Pranzo veloce',
        en: 'Quick lunch',
        fr: 'Déjeuner express',
        de: 'Schneller Mittagstisch',
        es: 'Almuerzo rápido',
      },
      description: {
        it: "Pasta del giorno, contorno, mezza minerale e caffè, serviti in mezz'ora.",
        en: 'Pasta of the day, a side dish, half a bottle of water and coffee, within half an hour.',
        fr: "Pâtes du jour, accompagnement, demi-bouteille d'eau et café, servis en une demi-heure.",
        de: 'Pasta des Tages, Beilage, eine halbe Flasche Wasser und Kaffee, serviert in einer halben Stunde.',
        es: 'Pasta del día, guarnición, media botella de agua y café, servidos en media hora.',
      },
      price: 14.5,
      allergens: ['cereali_glutine', 'uova', 'latte', 'sedano'],
      is_recommended: true,
    },
    {
      name: {
        it: 'Parmigiana di melanzane',
        en: 'Aubergine parmigiana',
        fr: "Parmigiana d'aubergines",
        de: 'Auberginen-Parmigiana',
        es: 'Parmigiana de berenjenas',
      },
      description: {
        it: 'Melanzane fritte, pomodoro, fiordilatte, parmigiano e basilico, tiepida come deve essere.',
        en: 'Fried aubergines, tomato, fior di latte, parmesan and basil, served warm as it should be.',
        fr: 'Aubergines frites, tomate, fior di latte, parmesan et basilic, servie tiède comme il se doit.',
        de: 'Frittierte Auberginen, Tomaten, Fiordilatte, Parmesan und Basilikum, lauwarm, wie es sich gehört.',
        es: 'Berenjenas fritas, tomate, fior di latte, parmesano y albahaca, templada como debe ser.',
      },
      price: 9.5,
      allergens: ['cereali_glutine', 'latte'],
    },
    {
      name: {
        it: 'Vitello tonnato',
        en: 'Veal with tuna sauce',
        fr: 'Veau sauce au thon',
        de: 'Kalbfleisch mit Thunfischsauce',
        es: 'Ternera con salsa de atún',
      },
      description: {
        it: 'Girello cotto rosa, affettato fino, con salsa di tonno, capperi e una punta di senape.',
        en: 'Pink-cooked veal, thinly sliced, with a sauce of tuna, capers and a touch of mustard.',
        fr: 'Veau cuit rosé, finement tranché, sauce au thon, câpres et une pointe de moutarde.',
        de: 'Rosa gegartes Kalb, dünn aufgeschnitten, mit einer Sauce aus Thunfisch, Kapern und etwas Senf.',
        es: 'Redondo de ternera rosado, en lonchas finas, con salsa de atún, alcaparras y un toque de mostaza.',
      },
      price: 12,
      allergens: ['uova', 'pesce', 'sedano', 'senape', 'solfiti'],
    },
    {
      name: {
        it: 'Insalata di farro e primo sale',
        en: 'Farro and primo sale cheese salad',
        fr: "Salade d'épeautre et fromage primo sale",
        de: 'Emmersalat mit Primo-Sale-Käse',
        es: 'Ensalada de espelta y queso primo sale',
      },
      description: {
        it: 'Farro di Leonessa, pomodorini, zucchine crude, olive e formaggio fresco di pecora.',
        en: "Leonessa farro, cherry tomatoes, raw courgettes, olives and fresh sheep's cheese.",
        fr: 'Épeautre de Leonessa, tomates cerises, courgettes crues, olives et fromage frais de brebis.',
        de: 'Emmer aus Leonessa, Kirschtomaten, rohe Zucchini, Oliven und frischer Schafskäse.',
        es: 'Espelta de Leonessa, tomatitos, calabacín crudo, aceitunas y queso fresco de oveja.',
      },
      price: 9,
      allergens: ['cereali_glutine', 'latte'],
    },
    {
      name: {
        it: 'Pollo alla cacciatora',
        en: "Hunter's chicken",
        fr: 'Poulet chasseur à la romaine',
        de: 'Huhn nach Jägerart',
        es: 'Pollo a la cazadora',
      },
      description: {
        it: 'Pollo in bianco con rosmarino, aceto, aglio e alici, e due patate al forno.',
        en: 'Chicken without tomato, with rosemary, vinegar, garlic and anchovies, and roast potatoes.',
        fr: 'Poulet sans tomate, au romarin, vinaigre, ail et anchois, et quelques pommes de terre au four.',
        de: 'Huhn ohne Tomaten, mit Rosmarin, Essig, Knoblauch und Sardellen, dazu Ofenkartoffeln.',
        es: 'Pollo sin tomate, con romero, vinagre, ajo y anchoas, y unas patatas al horno.',
      },
      price: 11.5,
      allergens: ['pesce', 'solfiti'],
    },
  ],
  children: [],
};
