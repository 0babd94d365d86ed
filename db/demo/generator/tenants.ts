import type { Locale } from '../../records/locale.ts';
import type { DemoTheme } from '../restaurant.ts';
import type { FullTexts } from './course.ts';

export const HOUSE_KINDS = [
  'Osteria',
  'Trattoria',
  'Locanda',
  'Taverna',
  'Ristorante',
  'Bistrot',
  'Cucina',
];
export const HOUSE_PLACES = [
  'del Borgo',
  'al Ponte',
  'della Piazza',
  'del Mulino',
  'ai Due Leoni',
  'alla Fontana',
  'del Pozzo',
  'della Rocca',
  'al Vecchio Forno',
  'del Glicine',
  'alla Torre',
  'dei Cacciatori',
];

export const STREETS = [
  'Via Roma',
  'Via Garibaldi',
  'Piazza del Mercato',
  'Vicolo dei Fornai',
  'Via della Fonte',
  'Largo San Martino',
  'Corso Italia',
];

export const CITIES = [
  { name: '40121 Bologna (BO)', dialling: '051' },
  { name: '50122 Firenze (FI)', dialling: '055' },
  { name: '10122 Torino (TO)', dialling: '011' },
  { name: '37121 Verona (VR)', dialling: '045' },
  { name: '80132 Napoli (NA)', dialling: '081' },
  { name: '70122 Bari (BA)', dialling: '080' },
  { name: '90133 Palermo (PA)', dialling: '091' },
  { name: '38122 Trento (TN)', dialling: '0461' },
  { name: '06121 Perugia (PG)', dialling: '075' },
];

/** Which languages a tenant publishes, its own first; Italian is in all of them. */
export const LANGUAGE_SETS: [Locale, ...Locale[]][] = [
  ['it'],
  ['it', 'en'],
  ['it', 'en'],
  ['it', 'en', 'de'],
  ['it', 'en', 'fr'],
  ['it', 'en', 'es'],
  ['it', 'en', 'fr', 'de', 'es'],
  ['it', 'en', 'fr', 'de', 'es'],
  ['de', 'it'],
  ['de', 'it', 'en'],
  ['fr', 'it'],
  ['en', 'it'],
  ['es', 'it', 'en'],
];

export const COVER_CHARGE: FullTexts = {
  it: 'Pane e coperto 2,00 €',
  en: 'Cover charge €2.00',
  fr: 'Pain et couvert 2,00 €',
  de: 'Gedeck 2,00 €',
  es: 'Pan y cubierto 2,00 €',
};

export const ALLERGEN_NOTICE: FullTexts = {
  it: 'Segnalate allergie e intolleranze al personale prima di ordinare.',
  en: 'Please tell our staff about allergies and intolerances before ordering.',
  fr: 'Merci de signaler allergies et intolérances au personnel avant de commander.',
  de: 'Bitte nennen Sie uns Allergien und Unverträglichkeiten vor der Bestellung.',
  es: 'Informe al personal de alergias e intolerancias antes de pedir.',
};

export const RECOMMENDED: FullTexts = {
  it: 'Consigliato',
  en: 'Recommended',
  fr: 'Recommandé',
  de: 'Empfehlung',
  es: 'Recomendado',
};

export const FOOTERS: FullTexts[] = [
  {
    it: 'Grazie della visita e a presto.',
    en: 'Thank you for coming, see you soon.',
    fr: 'Merci de votre visite et à bientôt.',
    de: 'Danke für Ihren Besuch und bis bald.',
    es: 'Gracias por su visita y hasta pronto.',
  },
  {
    it: 'Cucina aperta tutti i giorni tranne il lunedì.',
    en: 'The kitchen is open every day except Monday.',
    fr: 'La cuisine est ouverte tous les jours sauf le lundi.',
    de: 'Die Küche ist täglich außer Montag geöffnet.',
    es: 'La cocina abre todos los días menos el lunes.',
  },
];

export const SECTION_NOTES: FullTexts[] = [
  {
    it: 'Secondo mercato e stagione.',
    en: 'According to market and season.',
    fr: 'Selon le marché et la saison.',
    de: 'Je nach Markt und Jahreszeit.',
    es: 'Según mercado y temporada.',
  },
  {
    it: 'Porzioni abbondanti, da dividere volentieri.',
    en: 'Generous portions, happily shared.',
    fr: 'Portions généreuses, à partager volontiers.',
    de: 'Reichliche Portionen, gern zum Teilen.',
    es: 'Raciones generosas, para compartir.',
  },
];

/** The two sub-categories that any course can be divided into. */
export const TRADITIONAL: FullTexts = {
  it: 'Della tradizione',
  en: 'Traditional',
  fr: 'De tradition',
  de: 'Traditionelles',
  es: 'De la tradición',
};
export const SEASONAL: FullTexts = {
  it: 'Di stagione',
  en: 'In season',
  fr: 'De saison',
  de: 'Saisonales',
  es: 'De temporada',
};

export type Palette = Pick<
  DemoTheme,
  'primary_color' | 'secondary_color' | 'accent_color' | 'background_color' | 'text_color'
>;

export const PALETTES: Palette[] = [
  {
    primary_color: '#7A1F2B',
    secondary_color: '#B58A5A',
    accent_color: '#D9A441',
    background_color: '#FFFBF5',
    text_color: '#2B1D1A',
  },
  {
    primary_color: '#1F4E5F',
    secondary_color: '#79A8A9',
    accent_color: '#F4A259',
    background_color: '#F7FAFA',
    text_color: '#1B2A2F',
  },
  {
    primary_color: '#3E5C3A',
    secondary_color: '#A3B18A',
    accent_color: '#BC6C25',
    background_color: '#FAF8F0',
    text_color: '#26301F',
  },
  {
    primary_color: '#D8A657',
    secondary_color: '#7C6F64',
    accent_color: '#E78A4E',
    background_color: '#1D2021',
    text_color: '#EBDBB2',
  },
  {
    primary_color: '#C94F4F',
    secondary_color: '#6B7A8F',
    accent_color: '#F7C59F',
    background_color: '#20222B',
    text_color: '#F1F1F1',
  },
  {
    primary_color: '#22223B',
    secondary_color: '#4A4E69',
    accent_color: '#C9ADA7',
    background_color: '#FFFFFF',
    text_color: '#22223B',
  },
];

export const FONTS = [
  { font_family: "'Lora', Georgia, serif", font_url: 'https://fonts.example/lora.css' },
  {
    font_family: "'Archivo', Helvetica, Arial, sans-serif",
    font_url: 'https://fonts.example/archivo.css',
  },
  {
    font_family: "'Cormorant', 'Times New Roman', serif",
    font_url: 'https://fonts.example/cormorant.css',
  },
  { font_family: "'Nunito', Verdana, sans-serif", font_url: 'https://fonts.example/nunito.css' },
];

export const RADII = ['0', '4px', '8px', '0.75rem', '16px'];
