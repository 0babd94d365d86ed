import type { DemoSection } from '../restaurant.ts';
import { untranslated } from '../untranslated.ts';
import { bianchi } from './vini-bianchi.ts';
import { rossi } from './vini-rossi.ts';

const bollicine: DemoSection = {
  name: {
    it: 'Bollicine',
    en: 'Sparkling wines',
    fr: 'Vins effervescents',
    de: 'Schaumweine',
    es: 'Espumosos',
  },
  menu_type: 'wine',
  notes: '',
  types: [],
  dishes: [
    {
      name: untranslated('Conegliano Valdobbiadene Prosecco Superiore DOCG Brut 2023'),
      description: {
        it: 'Perlage fine, mela verde e glicine, chiusura asciutta: un aperitivo che chiama il supplì.',
        en: 'Fine bubbles, green apple and wisteria, a dry finish: an aperitif that calls for supplì.',
        fr: 'Bulles fines, pomme verte et glycine, finale sèche : un apéritif qui appelle le supplì.',
        de: 'Feine Perlage, grüner Apfel und Glyzinie, trockener Ausklang: ein Aperitif, der nach Supplì ruft.',
        es: 'Burbuja fina, manzana verde y glicinia, final seco: un aperitivo que pide un supplì.',
      },
      price: 26,
      allergens: ['solfiti'],
      winery: 'Vigne di Valdoria',
    },
    {
      name: untranslated('Franciacorta DOCG Brut Millesimato 2018'),
      description: {
        it: 'Crosta di pane, nocciola e pompelmo; quaranta mesi sui lieviti e una bocca cremosa.',
        en: 'Bread crust, hazelnut and grapefruit; forty months on the lees and a creamy mouthfeel.',
        fr: 'Croûte de pain, noisette et pamplemousse ; quarante mois sur lies et une bouche crémeuse.',
        de: 'Brotkruste, Haselnuss und Grapefruit; vierzig Monate auf der Hefe, am Gaumen cremig.',
        es: 'Corteza de pan, avellana y pomelo; cuarenta meses sobre lías y una boca cremosa.',
      },
      price: 48,
      allergens: ['solfiti'],
      winery: "Ca' del Rovo",
      is_recommended: true,
    },
    {
      name: untranslated('Franciacorta DOCG Rosé 2019'),
      description: {
        it: 'Pinot nero in rosa: ribes, arancia sanguinella e una bollicina che regge anche la coda.',
        en: 'Pinot noir in pink: redcurrant, blood orange and bubbles that stand up even to oxtail.',
        fr: 'Pinot noir en rose : groseille, orange sanguine et une bulle qui tient tête à la queue de bœuf.',
        de: 'Pinot noir in Rosa: Johannisbeere, Blutorange und eine Perlage, die selbst zu Ochsenschwanz besteht.',
        es: 'Pinot noir en rosa: grosella, naranja sanguina y una burbuja que aguanta hasta el rabo de buey.',
      },
      price: 52,
      allergens: ['solfiti'],
      winery: "Ca' del Rovo",
      is_active: false,
    },
  ],
  children: [],
};

const daDessert: DemoSection = {
  name: {
    it: 'Vini dolci',
    en: 'Sweet wines',
    fr: 'Vins doux',
    de: 'Süßweine',
    es: 'Vinos dulces',
  },
  menu_type: 'wine',
  notes: 'Al bicchiere, 8 cl.',
  types: [],
  dishes: [
    {
      name: untranslated('Cannellino di Frascati DOCG 2022'),
      description: {
        it: 'Vendemmia tardiva di Malvasia: albicocca, miele e mandorla, dolce senza stancare.',
        en: 'Late-harvest Malvasia: apricot, honey and almond, sweet without ever growing tiring.',
        fr: 'Vendange tardive de Malvasia : abricot, miel et amande, doux sans jamais lasser.',
        de: 'Spätlese aus Malvasia: Aprikose, Honig und Mandel, süß, ohne je zu ermüden.',
        es: 'Vendimia tardía de Malvasía: albaricoque, miel y almendra, dulce sin llegar a cansar.',
      },
      price: 6.5,
      allergens: ['solfiti'],
      winery: "Cantina Colle Sant'Anna",
    },
    {
      name: untranslated('Passito di Pantelleria DOC 2020'),
      description: {
        it: 'Zibibbo appassito al sole e al vento: datteri, scorza di arancia e sale di mare.',
        en: 'Zibibbo grapes dried in sun and wind: dates, orange peel and a touch of sea salt.',
        fr: "Raisins de Zibibbo séchés au soleil et au vent : datte, écorce d'orange et sel marin.",
        de: 'In Sonne und Wind getrocknete Zibibbo-Trauben: Datteln, Orangenschale und ein Hauch Meersalz.',
        es: 'Uva Zibibbo pasificada al sol y al viento: dátiles, piel de naranja y sal marina.',
      },
      price: 9,
      allergens: ['solfiti'],
      winery: 'Tenimenti Sciara Rossa',
    },
    {
      name: untranslated('Recioto della Valpolicella DOCG Classico 2019'),
      description: {
        it: 'Il rosso dolce per il cioccolato: amarena sotto spirito, cacao e tannini vellutati.',
        en: 'The sweet red for chocolate: brandied sour cherry, cocoa and velvety tannins.',
        fr: "Le rouge doux du chocolat : griotte à l'eau-de-vie, cacao et tanins veloutés.",
        de: 'Der süße Rote zur Schokolade: Sauerkirschen in Weinbrand, Kakao und samtige Tannine.',
        es: 'El tinto dulce para el chocolate: guindas en aguardiente, cacao y taninos aterciopelados.',
      },
      price: 9.5,
      allergens: ['solfiti'],
      winery: 'Vigne di Valdoria',
    },
  ],
  children: [],
};

export const vini: DemoSection = {
  name: { it: 'Vini', en: 'Wines', fr: 'Vins', de: 'Weine', es: 'Vinos' },
  menu_type: 'wine',
  notes: "L'annata può cambiare: fa fede l'etichetta in tavola.",
  show_subcategories: true,
  types: [],
  dishes: [],
  children: [bianchi, rossi, bollicine, daDessert],
};
