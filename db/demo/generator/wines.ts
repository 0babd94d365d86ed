import type { FullTexts } from './course.ts';

/** A denomination; a wine is one of them in a vintage, from a winery of its region. */
export interface Denomination {
  name: string;
  region: string;
  colour: 'white' | 'red';
  /** In euro, the bottle. */
  price: number;
  /** What it smells and tastes of: a sentence without the full stop. */
  character: FullTexts;
}

export const WINE_SECTION: FullTexts = {
  it: 'Vini',
  en: 'Wines',
  fr: 'Vins',
  de: 'Weine',
  es: 'Vinos',
};

export const WINE_COLOURS: Record<Denomination['colour'], FullTexts> = {
  white: {
    it: 'Bianchi',
    en: 'White wines',
    fr: 'Vins blancs',
    de: 'Weißweine',
    es: 'Vinos blancos',
  },
  red: { it: 'Rossi', en: 'Red wines', fr: 'Vins rouges', de: 'Rotweine', es: 'Vinos tintos' },
};

export const DENOMINATIONS: Denomination[] = [
  {
    name: 'Vermentino di Sardegna DOC',
    region: 'Sardegna',
    colour: 'white',
    price: 21,
    character: {
      it: 'Macchia mediterranea, pompelmo e una nota salina',
      en: 'Mediterranean scrub, grapefruit and a salty note',
      fr: 'Garrigue, pamplemousse et une note saline',
      de: 'Macchia, Grapefruit und eine salzige Note',
      es: 'Monte mediterráneo, pomelo y una nota salina',
    },
  },
  {
    name: 'Greco di Tufo DOCG',
    region: 'Campania',
    colour: 'white',
    price: 24,
    character: {
      it: 'Pesca, mandorla e una vena di zolfo antico',
      en: 'Peach, almond and an ancient vein of sulphur',
      fr: 'Pêche, amande et une veine de soufre ancien',
      de: 'Pfirsich, Mandel und eine alte Schwefelader',
      es: 'Melocotón, almendra y una antigua veta de azufre',
    },
  },
  {
    name: 'Soave Classico DOC',
    region: 'Veneto',
    colour: 'white',
    price: 19,
    character: {
      it: 'Fiori bianchi, mela e un finale di mandorla',
      en: 'White flowers, apple and an almond finish',
      fr: "Fleurs blanches, pomme et une finale d'amande",
      de: 'Weiße Blüten, Apfel und ein Mandelausklang',
      es: 'Flores blancas, manzana y un final de almendra',
    },
  },
  {
    name: 'Verdicchio dei Castelli di Jesi DOC',
    region: 'Marche',
    colour: 'white',
    price: 18,
    character: {
      it: 'Anice, agrumi ed erba tagliata, asciutto e vivo',
      en: 'Aniseed, citrus and cut grass, dry and lively',
      fr: 'Anis, agrumes et herbe coupée, sec et vif',
      de: 'Anis, Zitrus und frisches Gras, trocken und lebhaft',
      es: 'Anís, cítricos y hierba cortada, seco y vivo',
    },
  },
  {
    name: 'Gavi DOCG',
    region: 'Piemonte',
    colour: 'white',
    price: 23,
    character: {
      it: 'Limone, pera e gesso, teso dal primo sorso',
      en: 'Lemon, pear and chalk, taut from the first sip',
      fr: 'Citron, poire et craie, tendu dès la première gorgée',
      de: 'Zitrone, Birne und Kreide, straff vom ersten Schluck an',
      es: 'Limón, pera y tiza, tenso desde el primer sorbo',
    },
  },
  {
    name: "Montepulciano d'Abruzzo DOC",
    region: 'Abruzzo',
    colour: 'red',
    price: 18,
    character: {
      it: 'Marasca, liquirizia e tannini generosi',
      en: 'Sour cherry, liquorice and generous tannins',
      fr: 'Griotte, réglisse et tanins généreux',
      de: 'Sauerkirsche, Lakritz und großzügige Tannine',
      es: 'Guinda, regaliz y taninos generosos',
    },
  },
  {
    name: "Sicilia DOC Nero d'Avola",
    region: 'Sicilia',
    colour: 'red',
    price: 20,
    character: {
      it: 'Prugna matura, carruba e spezie calde',
      en: 'Ripe plum, carob and warm spices',
      fr: 'Prune mûre, caroube et épices chaudes',
      de: 'Reife Pflaume, Johannisbrot und warme Gewürze',
      es: 'Ciruela madura, algarroba y especias cálidas',
    },
  },
  {
    name: 'Primitivo di Manduria DOC',
    region: 'Puglia',
    colour: 'red',
    price: 22,
    character: {
      it: 'Confettura di more, cacao e un abbraccio caldo',
      en: 'Blackberry jam, cocoa and a warm embrace',
      fr: 'Confiture de mûres, cacao et une étreinte chaleureuse',
      de: 'Brombeerkonfitüre, Kakao und eine warme Umarmung',
      es: 'Confitura de mora, cacao y un abrazo cálido',
    },
  },
  {
    name: 'Chianti Colli Senesi DOCG',
    region: 'Toscana',
    colour: 'red',
    price: 21,
    character: {
      it: 'Ciliegia, viola e una freschezza che invita',
      en: 'Cherry, violet and an inviting freshness',
      fr: 'Cerise, violette et une fraîcheur engageante',
      de: 'Kirsche, Veilchen und eine einladende Frische',
      es: 'Cereza, violeta y una frescura que invita',
    },
  },
  {
    name: "Dolcetto d'Alba DOC",
    region: 'Piemonte',
    colour: 'red',
    price: 19,
    character: {
      it: 'Mora, mandorla amara e beva immediata',
      en: 'Blackberry, bitter almond and immediate pleasure',
      fr: 'Mûre, amande amère et plaisir immédiat',
      de: 'Brombeere, Bittermandel und unmittelbarer Trinkgenuss',
      es: 'Mora, almendra amarga y placer inmediato',
    },
  },
  {
    name: 'Aglianico del Vulture DOC',
    region: 'Basilicata',
    colour: 'red',
    price: 25,
    character: {
      it: 'Amarena, tabacco e cenere vulcanica',
      en: 'Black cherry, tobacco and volcanic ash',
      fr: 'Griotte, tabac et cendre volcanique',
      de: 'Amarenakirsche, Tabak und Vulkanasche',
      es: 'Guinda, tabaco y ceniza volcánica',
    },
  },
];

/** What to drink it with: sentences without the full stop. */
export const PAIRINGS: Record<Denomination['colour'], FullTexts[]> = {
  white: [
    {
      it: 'Da bere fresco con il pesce e le verdure',
      en: 'Drink it cool with fish and vegetables',
      fr: 'À boire frais avec poissons et légumes',
      de: 'Kühl zu trinken, zu Fisch und Gemüse',
      es: 'Para beber fresco con pescados y verduras',
    },
    {
      it: "Perfetto per l'aperitivo e gli antipasti",
      en: 'Perfect as an aperitif and with starters',
      fr: "Parfait à l'apéritif et avec les entrées",
      de: 'Perfekt zum Aperitif und zu Vorspeisen',
      es: 'Perfecto para el aperitivo y los entrantes',
    },
    {
      it: 'Ottimo con la pasta e i formaggi freschi',
      en: 'Excellent with pasta and fresh cheeses',
      fr: 'Excellent avec les pâtes et les fromages frais',
      de: 'Ausgezeichnet zu Pasta und Frischkäse',
      es: 'Excelente con pasta y quesos frescos',
    },
  ],
  red: [
    {
      it: 'Il compagno giusto per le carni alla brace',
      en: 'The right companion for grilled meat',
      fr: 'Le bon compagnon des viandes grillées',
      de: 'Der richtige Begleiter zu Fleisch vom Grill',
      es: 'El compañero justo de las carnes a la brasa',
    },
    {
      it: 'Sta bene con i ragù e i formaggi stagionati',
      en: 'At home with ragù and mature cheeses',
      fr: "À l'aise avec les ragoûts et les fromages affinés",
      de: 'Passt zu Ragout und gereiftem Käse',
      es: 'Va bien con ragús y quesos curados',
    },
    {
      it: "Da stappare un'ora prima di cena",
      en: 'Best opened an hour before dinner',
      fr: 'À ouvrir une heure avant le dîner',
      de: 'Am besten eine Stunde vor dem Essen öffnen',
      es: 'Mejor abrirlo una hora antes de cenar',
    },
  ],
};

export const ESTATE_KINDS = ['Tenuta', 'Cantina', 'Podere', 'Fattoria', 'Cascina', 'Masseria'];
export const ESTATE_PLACES = [
  'Colle Alto',
  'Fontechiara',
  'Tre Querce',
  'Pietra Bianca',
  'Vigna Vecchia',
  'Rio Secco',
  'Monte Falco',
  'Poggio al Vento',
  'Valle Scura',
  'Cima di Sole',
];

export const ESTATE_STORIES: FullTexts[] = [
  {
    it: 'Azienda di famiglia da quattro generazioni, con vigne proprie e fermentazioni spontanee.',
    en: 'A family estate for four generations, with its own vineyards and spontaneous fermentation.',
    fr: 'Domaine familial depuis quatre générations, avec ses propres vignes et des fermentations spontanées.',
    de: 'Familienbetrieb in vierter Generation, mit eigenen Reben und spontaner Gärung.',
    es: 'Bodega familiar desde hace cuatro generaciones, con viñas propias y fermentaciones espontáneas.',
  },
  {
    it: 'Nove ettari in biologico su terreni calcarei, vendemmiati soltanto a mano.',
    en: 'Nine organic hectares on limestone soils, harvested only by hand.',
    fr: 'Neuf hectares en bio sur sols calcaires, vendangés uniquement à la main.',
    de: 'Neun biologisch bewirtschaftete Hektar auf Kalkböden, ausschließlich von Hand gelesen.',
    es: 'Nueve hectáreas en ecológico sobre suelos calizos, vendimiadas solo a mano.',
  },
  {
    it: 'Una giovane coppia che ha recuperato vigne abbandonate e lavora con poco legno.',
    en: 'A young couple who rescued abandoned vineyards and use very little oak.',
    fr: 'Un jeune couple qui a sauvé des vignes abandonnées et utilise très peu de bois.',
    de: 'Ein junges Paar, das aufgegebene Weinberge gerettet hat und wenig Holz einsetzt.',
    es: 'Una pareja joven que recuperó viñas abandonadas y trabaja con muy poca madera.',
  },
  {
    it: 'Cantina scavata nella roccia, dove il vino riposa al buio e senza fretta.',
    en: 'A cellar cut into the rock, where the wine rests in the dark and without hurry.',
    fr: 'Une cave creusée dans la roche, où le vin repose dans le noir et sans hâte.',
    de: 'Ein in den Fels gehauener Keller, in dem der Wein im Dunkeln und ohne Eile ruht.',
    es: 'Una bodega excavada en la roca, donde el vino reposa a oscuras y sin prisa.',
  },
];
