import type { DemoSection, DemoWinery } from '../restaurant.ts';

export const weingueter: DemoWinery[] = [
  {
    name: 'Weingut Rebmannhof',
    region: 'Südtirol',
    country: 'Italien',
    website: 'https://rebmannhof.example',
    description: {
      de: 'Familienbetrieb in Girlan, sieben Hektar alte Pergeln und ein Keller aus dem Jahr 1684.',
      it: 'Azienda di famiglia a Cornaiano, sette ettari di vecchie pergole e una cantina del 1684.',
    },
  },
  {
    name: 'Kellerei Moosegg',
    region: 'Südtirol',
    country: 'Italien',
    website: null,
    description: {
      de: 'Kleine Genossenschaft oberhalb des Kalterer Sees, vierzig Weinbauern und ein gemeinsames Ziel.',
      it: 'Piccola cooperativa sopra il lago di Caldaro, quaranta viticoltori e un solo obiettivo.',
    },
  },
];

export const weine: DemoSection = {
  name: { de: 'Weine', it: 'Vini' },
  menu_type: 'wine',
  notes: 'Alle Weine auch glasweise.',
  show_subcategories: true,
  types: [{ name: { de: 'Weißweine', it: 'Bianchi' } }, { name: { de: 'Rotweine', it: 'Rossi' } }],
  dishes: [
    {
      name: { de: 'Südtirol DOC Weißburgunder 2023', it: 'Alto Adige DOC Pinot Bianco 2023' },
      description: {
        de: 'Grüner Apfel, Birne und ein feiner mineralischer Zug: schlank, klar und sehr bekömmlich.',
        it: 'Mela verde, pera e una fine vena minerale: snello, limpido e di ottima beva.',
      },
      price: 22,
      allergens: ['solfiti'],
      type: 'Bianchi',
      winery: 'Weingut Rebmannhof',
    },
    {
      name: { de: 'Südtirol DOC Sauvignon 2023', it: 'Alto Adige DOC Sauvignon 2023' },
      description: {
        de: 'Holunderblüte, Stachelbeere und Salbei, mit einer Säure, die zur Forellenpizza passt.',
        it: "Fiori di sambuco, uva spina e salvia, con un'acidità che ama la pizza alla trota.",
      },
      price: 25,
      allergens: ['solfiti'],
      type: 'Bianchi',
      winery: 'Kellerei Moosegg',
    },
    {
      name: { de: 'Südtirol DOC Vernatsch 2022', it: 'Alto Adige DOC Schiava 2022' },
      description: {
        de: 'Hellrot, mit Veilchen, Kirsche und Bittermandel: leicht gekühlt der beste Pizzawein.',
        it: 'Rosso chiaro di viola, ciliegia e mandorla amara: fresco, è il miglior vino da pizza.',
      },
      price: 19.5,
      allergens: ['solfiti'],
      type: 'Rossi',
      winery: 'Kellerei Moosegg',
      is_recommended: true,
    },
    {
      name: { de: 'Südtirol DOC Lagrein Riserva 2020', it: 'Alto Adige DOC Lagrein Riserva 2020' },
      description: {
        de: 'Brombeere, Bitterschokolade und Veilchen, dicht und samtig, zu Gulasch und Hirschschinken.',
        it: 'Mora, cioccolato amaro e viola, denso e vellutato, per gulasch e prosciutto di cervo.',
      },
      price: 33,
      allergens: ['solfiti'],
      type: 'Rossi',
      winery: 'Weingut Rebmannhof',
    },
  ],
  children: [],
};
