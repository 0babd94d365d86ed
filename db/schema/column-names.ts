import { entriesOf } from '../runtime/keys.ts';
import { textsByKey } from '../texts/catalogues.ts';
import { allergenNamed } from './choice-words.ts';
import { allergens } from './dictionary.ts';
import { dish } from './dish.ts';
import { dishColumns } from './dish-table.ts';
import type { Field } from './field.ts';
import { ALL_LOCALES, LANGUAGE_NAMES, LOCALES, type Locale } from './values/locale.ts';

// How owners call the columns of their tables. A new name is a word in one of the lists.

/** Columns of owners' tables that are no columns of ours: names of records, and sizes. */
export const OWNERS_COLUMNS = ['section', 'type', 'winery', 'size', 'size_name'] as const;

/** The meaning of a column: a name of `dishColumns`, one of `OWNERS_COLUMNS`, or none. */
type ColumnTarget = string;
export const NO_TARGET: ColumnTarget = '';

/** Columns of one allergen each, which say by a sign whether a dish contains it, by their target. */
export const ALLERGEN_COLUMNS: ReadonlyMap<ColumnTarget, string> = new Map(
  allergens.keys.map((key) => [`allergen_${key}`, key]),
);

/** Whether a table may have several such columns: sizes, and kinds of one allergen like nuts. */
export const isRepeatable = (target: ColumnTarget) =>
  target === 'size' || ALLERGEN_COLUMNS.has(target);

export const COLUMN_TARGETS: readonly ColumnTarget[] = [
  ...OWNERS_COLUMNS,
  ...ALLERGEN_COLUMNS.keys(),
  ...dishColumns.map(({ name }) => name),
];

/** Names of columns beside the labels of fields, without accents and in small letters. */
const NAMES: Readonly<Record<string, string>> = {
  name:
    'piatto, piatti, nome del piatto, nome piatto, prodotto, articolo, voce, titolo, vino, bevanda, pizza, ' +
    'dish, dishes, dish name, item, item name, menu item, product, product name, title, wine, drink, ' +
    'plat, plats, nom du plat, produit, article, intitule, designation, libelle, vin, boisson, ' +
    'gericht, gerichte, speise, speisen, bezeichnung, artikel, produkt, produktname, wein, getrank, ' +
    'plato, platos, nombre del plato, producto, articulo, vino, bebida',
  description:
    'dettagli, ingredienti, composizione, testo, details, ingredients, composition, text, ' +
    'detail, ingredients, descriptif, beschreibung, zutaten, text, detalles, ingredientes, descripcion',
  price:
    'prezzo di vendita, prezzo vendita, prezzo al pubblico, costo, importo, euro, eur, listino, pr, ' +
    'cost, amount, unit price, selling price, prix ttc, prix de vente, tarif, montant, ' +
    'vk, vk preis, vkpreis, verkaufspreis, bruttopreis, preis in euro, betrag, pvp, importe, precio venta, tarifa',
  section:
    'categoria, categorie, gruppo, reparto, portata, famiglia, menu, category, categories, group, course, ' +
    'menu section, department, rubrique, categorie, famille, groupe, kategorie, gruppe, warengruppe, rubrik, ' +
    'bereich, abteilung, speisekategorie, grupo, familia, apartado, seccion',
  type:
    'sotto categoria, tipo, tipologia, subcategory, sub category, type, sous categorie, unterkategorie, ' +
    'untergruppe, art, subcategoria, subfamilia',
  winery:
    'produttore, azienda, producer, maker, producteur, domaine, erzeuger, winzer, produzent, productor',
  code: 'numero, nr, n, no, num, bin, bin number, numero in carta, weinnummer',
  kcal: 'kcal, calorie per porzione, energy, energie, brennwert, energia',
  origin: 'origine, paese di origine, country of origin, pays d origine, herkunftsland, origen',
  vintage: 'anno, year, annee, jahr, ano',
  grapes: 'vitigno, uva, grape, varietal, cepage, rebsorte, traube, variedad',
  denomination: 'doc, docg, appellation, aoc, do',
  allergens:
    'allergene, allergenici, allergen, allergens, allergen info, alergeno, codici allergeni',
  is_active:
    'attivo, pubblicato, active, published, actif, publie, aktiv, veroffentlicht, activo, publicado',
  is_recommended:
    'consigliati, favourite, featured, favori, coup de coeur, empfehlung, favorito, destacado',
  external_id:
    'codice articolo, id articolo, sku, plu, item code, artikelnummer, artikel nr, artnr, referencia',
  size_name:
    'formato, taglia, dimensione, misura, porzione, size, portion, variant, taille, format, ' +
    'grosse, variante, portionsgrosse, tamano, racion, medida',
};

/** Headers that are themselves sizes, each with its price below. */
const SIZES = new Set(
  (
    'piccola, piccolo, media, medio, grande, normale, maxi, mini, baby, intera, mezza, calice, bottiglia, caraffa, ' +
    'small, medium, large, regular, half, full, glass, bottle, carafe, pint, half pint, ' +
    'petite, petit, moyenne, moyen, verre, bouteille, demi, pichet, carafe, ' +
    'klein, mittel, gross, normal, glas, flasche, karaffe, halb, ganz, ' +
    'pequena, pequeno, mediana, mediano, tapa, media racion, racion, copa, botella, jarra, cana'
  ).split(', '),
);
const AMOUNT = /^(ca )?[0-9]+([ .,][0-9]+)? ?(ml|cl|dl|l|lt|g|gr|kg|cm|pz|pcs|stk)$/;

const LANGUAGES: Partial<Record<Locale, string>> = {
  it: 'it, ita, italiano, italian, italien, italienisch',
  en: 'en, eng, gb, uk, inglese, english, anglais, englisch, ingles',
  fr: 'fr, fra, francese, french, francais, franzosisch, frances',
  de: 'de, deu, ger, tedesco, german, allemand, deutsch, aleman',
  es: 'es, esp, spa, spagnolo, spanish, espagnol, spanisch, espanol',
};
/** A name in the form in which names are compared: small letters, no accents and no marks. */
export function plainName(header: string): string {
  return header
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}.,]+|[.,](?![0-9])/gu, ' ')
    .trim();
}

/** Words for languages: their codes, their own names and English ones, then what owners write. */
const languages = new Map<string, Locale>(
  ALL_LOCALES.flatMap((locale): [string, Locale][] => {
    const english = new Intl.DisplayNames('en', { type: 'language' }).of(locale) ?? '';
    const words = [locale, LANGUAGE_NAMES[locale], english].map(plainName);
    return words.filter(Boolean).map((word) => [word, locale]);
  }),
);
for (const [locale, words] of entriesOf(LANGUAGES)) {
  for (const word of words.split(', ')) languages.set(word, locale);
}

/** References that owners name by a record's name, by their field. */
const REFERENCES: Readonly<Record<string, ColumnTarget>> = {
  category_id: 'section',
  type_id: 'type',
  winery_id: 'winery',
};

/** Each name with its meaning; a text in several languages lacks its language. */
const meanings = new Map<string, ColumnTarget>();
for (const [name, { label, input, kind }] of Object.entries<Field>(dish.fields).map(
  ([field, { options, input, kind }]) => [field, { label: options.label, input, kind }] as const,
)) {
  if (input === null || kind === 'list') continue;
  for (const locale of LOCALES) {
    const text = plainName(textsByKey(locale).get(label) ?? '');
    if (text !== '') meanings.set(text, REFERENCES[name] ?? name);
  }
}
for (const [target, names] of Object.entries(NAMES)) {
  for (const name of names.split(', ')) meanings.set(name, target);
}

/** Our own columns by their names in small letters, for a header may be in capitals: `name_zh-Hans`. */
const own = new Map(dishColumns.map(({ name }) => [name.toLowerCase(), name]));
const translated = new Set(
  dishColumns.flatMap(({ fieldName, locale }) => (locale ? [fieldName] : [])),
);

/** A meaning before its language is settled. */
interface Meaning {
  target: ColumnTarget;
  locale?: Locale | undefined;
}

/** Marks and words before the name of an allergen: `7. Latte`, `Contains milk`. */
const BEFORE_ALLERGEN =
  /^[0-9]{0,2} *(contiene|contains|enthalt|contient|allergene|allergen|alergeno)? */;

function meaningOf(header: string): Meaning | null {
  const ownName = own.get(header.trim().toLowerCase());
  if (ownName !== undefined) return { target: ownName };
  const plain = plainName(
    header.replace(/\([^)]*\)|\[[^\]]*\]/g, (note) => {
      // A note in brackets counts when it names a language: `Name (Deutsch)`.
      return languages.has(plainName(note)) ? note : ' ';
    }),
  );
  const known = meanings.get(plain);
  if (known !== undefined) return { target: known };
  const named = plain.replace(BEFORE_ALLERGEN, '');
  // A number is no name: `Allergen 1` is the first of a list.
  const allergen = /\p{L}/u.test(named) ? allergenNamed(named) : undefined;
  if (allergen !== undefined) return { target: `allergen_${allergen}` };
  const words = plain.split(' ');
  const locale = words.map((word) => languages.get(word)).find((one) => one !== undefined);
  if (locale) {
    const rest = words.filter((word) => !languages.has(word)).join(' ');
    const target = rest === '' ? 'name' : meanings.get(rest);
    if (target !== undefined && translated.has(target)) return { target, locale };
  }
  return SIZES.has(plain) || AMOUNT.test(plain) ? { target: 'size' } : null;
}

/** Whether a header is one of our own tables, whose other columns have no meaning. */
function isOwnTable(headers: readonly string[]): boolean {
  const keys = ['id', 'external_id', 'category_id', 'category_external_id'];
  return headers.some((header) => keys.includes(header.trim().toLowerCase()));
}

/**
 * The meaning of each column by its header; `NO_TARGET` where there is no guess.
 *
 * @param locale of texts whose language no header names
 */
export function guessColumns(headers: readonly string[], locale: Locale): ColumnTarget[] {
  const isOwn = isOwnTable(headers);
  const taken = new Set<ColumnTarget>();
  return headers.map((header) => {
    const meaning = meaningOf(header);
    if (!meaning) return NO_TARGET;
    const { target: field } = meaning;
    if (isOwn && !own.has(header.trim().toLowerCase())) return NO_TARGET;
    const isText = translated.has(field);
    const target = isText ? `${field}_${meaning.locale ?? locale}` : field;
    // A column of ours that stands there twice is a mistake, which the plan refuses.
    if (taken.has(target) && !isRepeatable(target) && !isOwn) return NO_TARGET;
    taken.add(target);
    return target;
  });
}
