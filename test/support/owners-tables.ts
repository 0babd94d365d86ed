import { workbook } from './workbook.ts';

/** A table of an owner, and the menu that it is. */
export interface OwnersTable {
  what: string;
  language: string;
  file: string;
  bytes: Buffer;
  sections: string[];
  /** Names with the price, or the sizes with theirs. */
  dishes: Record<string, number | Record<string, number>>;
}

const lines = (end: string, ...rows: string[]) => rows.join(end) + end;

/** Of five countries, as four spreadsheets write them. */
export const ownersTables: OwnersTable[] = [
  {
    what: 'Excel in Italy, as CSV',
    language: 'it',
    file: 'listino.csv',
    bytes: Buffer.from(
      lines(
        '\r\n',
        'SEZIONE;PIATTO;INGREDIENTI;PREZZO;ALLERGENI',
        'Antipasti;Caff\xe8 \x93shakerato\x94;Caff\xe8, zucchero;\x80 4,50;',
        'Antipasti;Tagliere;"Speck; formaggio";12,00 \x80;latte, solfiti',
        'Pizze;Margherita;Pomodoro;6,50 \x80;Glutine, Latte',
      ),
      'latin1',
    ),
    sections: ['Antipasti', 'Pizze'],
    dishes: { 'Caffè “shakerato”': 4.5, Tagliere: 12, Margherita: 6.5 },
  },
  {
    what: 'Excel in Germany, as CSV UTF-8 with amounts as columns',
    language: 'de',
    file: 'karte.csv',
    bytes: Buffer.from(
      lines(
        '\r\n',
        '\ufeffWarengruppe;Artikel;Beschreibung;0,3 l;0,5 l',
        'Biere;Helles;vom Fass;3,80;4,90',
        'Biere;Weißbier;;;5,20',
        'Säfte;Apfelsaft;naturtrüb;3,50;4,80',
      ),
    ),
    sections: ['Biere', 'Säfte'],
    dishes: {
      Helles: { '0,3 l': 3.8, '0,5 l': 4.9 },
      Weißbier: 5.2,
      Apfelsaft: { '0,3 l': 3.5, '0,5 l': 4.8 },
    },
  },
  {
    what: 'Excel in France, as Unicode text',
    language: 'fr',
    file: 'carte.txt',
    bytes: Buffer.from(
      lines(
        '\r\n',
        '\ufeffRubrique\tDésignation\tMillésime\tProducteur\tPrix TTC',
        'Vins rouges\tPomerol\t2009\tChâteau du Lac\t1\u202f250,00 €',
        'Vins rouges\tPomerol\t2015\tChâteau du Lac\t890 €',
        'Vins blancs\tChablis\t2021\tDomaine d’Œuf\t42,50 €',
      ),
      'utf16le',
    ),
    sections: ['Vins rouges', 'Vins blancs'],
    dishes: { 'Pomerol 2009': 1250, 'Pomerol 2015': 890, 'Chablis 2021': 42.5 },
  },
  {
    what: 'Numbers in Spain, with a title above',
    language: 'es',
    file: 'carta.csv',
    bytes: Buffer.from(
      lines(
        '\n',
        'Carta de verano;;;;',
        'Categoría;Plato;Alérgenos;Media ración;Ración',
        'Tapas;Croquetas;Gluten, Huevos y más;6,00;11,00'.replace(' y más', ''),
        'Tapas;Jamón;;;18,50',
        'Postres;Flan;Huevos / Leche;;4,50',
      ),
    ),
    sections: ['Tapas', 'Postres'],
    dishes: { Croquetas: { 'Media ración': 6, Ración: 11 }, Jamón: 18.5, Flan: 4.5 },
  },
  {
    what: 'Google Sheets in Britain, as CSV',
    language: 'en',
    file: 'menu.csv',
    bytes: Buffer.from(
      lines(
        '\r\n',
        'Category,Item Name,Description,Price (£),Notes of the kitchen',
        'Mains,"Pie, ""house"" style","Beef\nand ale",£14.50,ask Jo',
        'Mains,Lobster,,"£1,250.00",',
        'Puddings,Crème brûlée,,6.75,',
      ),
    ),
    sections: ['Mains', 'Puddings'],
    dishes: { 'Pie, "house" style': 14.5, Lobster: 1250, 'Crème brûlée': 6.75 },
  },
  {
    what: 'LibreOffice in Italy, with titles of sections as rows',
    language: 'it',
    file: 'menu.csv',
    bytes: Buffer.from(
      lines(
        '\n',
        'Piatto,Prezzo,Dish',
        'PRIMI,,',
        'Carbonara,"12,00",Carbonara',
        'Gnocchi al ragù,"11,50",Gnocchi with ragù',
        ',,',
        'DOLCI,,',
        'Tiramisù,"6,00",Tiramisu',
      ),
    ),
    sections: ['PRIMI', 'DOLCI'],
    dishes: { Carbonara: 12, 'Gnocchi al ragù': 11.5, Tiramisù: 6 },
  },
  {
    what: 'Excel in Austria, as a workbook with sizes as rows',
    language: 'de',
    file: 'karte.xlsx',
    bytes: workbook([
      ['Speisekarte 2026'],
      [],
      ['Kategorie', 'Gericht', 'Größe', 'Preis'],
      ['Pizzen', 'Diavolo', 'Klein', 8.9],
      ['Pizzen', 'Diavolo', 'Groß', 11.9],
      ['Pizzen', 'Calzone', null, 12.125 - 0.025],
      [],
      ['Getränke', 'Mineralwasser', null, 4],
    ]),
    sections: ['Pizzen', 'Getränke'],
    dishes: { Diavolo: { Klein: 8.9, Groß: 11.9 }, Calzone: 12.1, Mineralwasser: 4 },
  },
  {
    what: 'Google Sheets in Spain, as a workbook',
    language: 'es',
    file: 'vinos.xlsx',
    bytes: workbook(
      [
        ['Grupo', 'Vino', 'Bodega', 'Añada', 'Copa', 'Botella', 'Nombre en inglés'],
        ['Tintos', 'Rioja', 'Ardanza', 2019, 5, 1250, 'Rioja red'],
        ['Blancos', 'Albariño', 'Rías', 2023, null, '28,50 €', 'Albarino'],
      ],
      false,
    ),
    sections: ['Tintos', 'Blancos'],
    dishes: { 'Rioja 2019': { Copa: 5, Botella: 1250 }, 'Albariño 2023': 28.5 },
  },
];
