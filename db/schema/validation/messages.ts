import * as v from 'valibot';
import { keysOf } from '../../runtime/keys.ts';
import { LOCALES } from '../values/locale.ts';
import { type Broken, type FieldErrors, mapErrors, type TableCell } from './rule.ts';

/** Sentences by field: the `errors` map of the envelope (SPEC, "Errors", 422). */
type Sentences = Record<string, string[]>;

/** `category_id` reads as `category id`; a nested key such as `name.it` stays as it is. */
function attribute(field: string): string {
  return field.includes('.') ? field : field.replaceAll('_', ' ');
}

function Attribute(field: string): string {
  const text = attribute(field);
  return field.includes('.') ? text : text.charAt(0).toUpperCase() + text.slice(1);
}

const NO_JSON = 'Il corpo della richiesta non è JSON valido';
const NO_CSV = 'Il corpo della richiesta non è CSV valido';

/** Those about a body as a whole. */
const bodyTexts = {
  notSimple: () => 'Il corpo della richiesta ha troppi valori, o è annidato troppo in profondità.',
  notUtf8: () => 'Il corpo della richiesta non è testo UTF-8.',
  noJson: () => `${NO_JSON}.`,
  jsonEnds: (_: string, { byte }: { byte: number }) =>
    `${NO_JSON}: finisce prima del previsto, al byte ${byte}.`,
  jsonBroken: (_: string, { line, column, byte }: { line: number; column: number; byte: number }) =>
    `${NO_JSON}: errore alla riga ${line}, colonna ${column} (byte ${byte}).`,
  noCsv: () => `${NO_CSV}.`,
  csvBroken: (_: string, { line }: { line: number }) => `${NO_CSV}: errore alla riga ${line}.`,
  csvHeader: () => 'La prima riga del CSV deve contenere i nomi delle colonne.',
  sheetHeader: () => 'La prima riga del foglio deve contenere i nomi delle colonne.',
  csvColumn: (_: string, { header, value }: { header: string; value: string }) =>
    `La colonna «${header}» (per esempio «${value}») può voler dire più cose: indicare il suo significato (columns).`,
  csvTiming: (_: string, { header, value }: { header: string; value: string }) =>
    `La colonna «${header}» (per esempio «${value}») dice quando un piatto si vende, e qui non si legge: indicare che va ignorata (columns).`,
  csvCode: (
    _: string,
    { row, header, sign, dishes }: { row: number; header: string; sign: string; dishes: string },
  ) =>
    `Alla riga ${row}, colonna ${header}, «${sign}» non ha un significato noto (${dishes}): indicarlo (allergen_signs, allergen_codes).`,
  csvNoPrices: (_: string, { n }: { n: number }) =>
    `La tabella non ha prezzi, e i piatti nuovi sono ${n}: indicare la colonna dei prezzi (columns), o che non ce ne sono (without_prices).`,
  csvLong: (_: string, { rows }: { rows: number }) => `Il CSV non può avere più di ${rows} righe.`,
  csvColumns: (_: string, { max }: { max: number }) =>
    `Il CSV non può avere più di ${max} colonne.`,
  csvWide: (_: string, { row, cells, width }: { row: number; cells: number; width: number }) =>
    `La riga ${row} ha ${cells} celle, e l’intestazione ${width}.`,
  csvUnclear: (_: string, { row, number }: { row: number; number: string }) =>
    `Alla riga ${row} il numero ${number} si può leggere in due modi: indicare il segno dei decimali (decimal_sign).`,
  csvSign: (_: string, { row, header, sign }: { row: number; header: string; sign: string }) =>
    `Alla riga ${row}, colonna ${header}, il segno «${sign}» può voler dire più cose: indicare il suo significato (allergen_signs).`,
  csvEmpty: () =>
    'La tabella non dice di tutti gli allergeni se ci sono: indicare il significato delle celle vuote (allergen_signs).',
  noWorkbook: () => 'Il corpo della richiesta non è un foglio di calcolo leggibile.',
  workbookLarge: () => 'Il foglio di calcolo è troppo grande.',
  noText: () => 'Il corpo della richiesta non è testo.',
  notOfService: (_: string, { service }: { service: string }) =>
    `Il documento non ha la forma che dà ${service}.`,
  notEncoded: (
    _: string,
    {
      encoding,
      row,
      place,
      value,
    }: { encoding: string; row: number; place: number; value: string },
  ) => `La tabella non è testo ${encoding}: errore alla riga ${row}, byte ${place} (${value}).`,
};
/** Names the rules about a body as a whole. */
export const bodyRules = keysOf(bodyTexts);

/** The message of each rule, in Italian, for the person who broke it. */
export const ruleTexts = {
  required: (field: string) => `Il campo ${attribute(field)} è richiesto.`,
  numeric: (field: string) => `${Attribute(field)} deve essere un numero.`,
  integer: (field: string) => `${Attribute(field)} deve essere un numero intero.`,
  min: (field: string, { min }: { min: number }) =>
    `${Attribute(field)} deve essere almeno ${min}.`,
  max: (field: string, { max }: { max: number }) =>
    `${Attribute(field)} non può essere superiore a ${max}.`,
  maxLength: (field: string, { max }: { max: number }) =>
    `${Attribute(field)} non può contenere più di ${max} caratteri.`,
  decimals: (field: string, { max }: { max: number }) =>
    `${Attribute(field)} può avere al massimo ${max} decimali.`,
  currencyPrices: (field: string, { max, n, names }: { max: number; n: number; names: string }) =>
    `${Attribute(field)} ammette al massimo ${max} decimali, e ${n} prezzi ne hanno di più: ${names}.`,
  namesLack: (field: string, { n, names }: { n: number; names: string }) =>
    `${Attribute(field)} richiede un nome in questa lingua, che manca a ${n} voci: ${names}.`,
  maxItems: (field: string, { max }: { max: number }) =>
    `${Attribute(field)} non può contenere più di ${max} elementi.`,
  string: (field: string) => `${Attribute(field)} deve essere una stringa.`,
  array: (field: string) => `${Attribute(field)} deve essere un array.`,
  object: (field: string) => `${Attribute(field)} deve essere un oggetto.`,
  boolean: (field: string) => `Il campo ${attribute(field)} deve essere vero o falso.`,
  invalid: (field: string) => `${Attribute(field)} selezionato non è valido.`,
  oneOf: (field: string, { values }: { values: readonly string[] }) =>
    `${Attribute(field)} selezionato non è valido. Valori ammessi: ${values.join(', ')}.`,
  language: (field: string, _: { values: readonly string[] }) =>
    `${Attribute(field)} selezionato non è valido. Valori ammessi: ${LOCALES.join(', ')}.`,
  color: (field: string) =>
    `Il campo ${attribute(field)} deve essere un colore esadecimale valido.`,
  format: (field: string) => `Il formato del campo ${attribute(field)} non è valido.`,
  email: (field: string) => `${Attribute(field)} non è valido.`,
  dateFormat: (field: string, { format }: { format: string }) =>
    `${Attribute(field)} non coincide con il formato ${format}.`,
  notBefore: (field: string, { date }: { date: string }) =>
    `${Attribute(field)} deve essere una data successiva o uguale al ${date}.`,
  notAfter: (field: string, { date }: { date: string }) =>
    `${Attribute(field)} deve essere una data precedente o uguale al ${date}.`,
  past: (field: string) => `${Attribute(field)} deve essere nel futuro.`,
  later: (field: string) => `${Attribute(field)} deve essere dopo l’inizio.`,
  published: (field: string) => `${Attribute(field)} non può cambiare dopo la pubblicazione.`,
  unique: (field: string) => `${Attribute(field)} è già stato utilizzato.`,
  country: (field: string) => `${Attribute(field)} non è un paese conosciuto.`,
  notOfCountry: (field: string, { country }: { country: string }) =>
    `${Attribute(field)} deve essere una regione di ${country || 'un paese indicato'}.`,
  withoutAllergen: (field: string, { keys }: { keys: readonly string[] }) =>
    `${Attribute(field)} richiede tra gli allergeni o le tracce: ${keys.join(', ')}.`,
  yearOfBlend: (field: string) => `${Attribute(field)} non può valere per un vino con un’annata.`,
  alsoContained: (field: string) =>
    `${Attribute(field)} contiene un allergene che è già tra quelli contenuti.`,
  otherWindow: (field: string, { fields }: { fields: readonly string[] }) =>
    `${Attribute(field)} non concorda con ${fields.join(', ')}.`,
  inState: (field: string, { state, values }: { state: string; values: readonly string[] }) =>
    `${Attribute(field)} è ${state}; qui si accetta ${values.join(', ')}.`,
  otherDish: (field: string, { name }: { name: string }) =>
    `${Attribute(field)} non è il nome del piatto indicato, “${name}”: un’opzione ha un piatto o un testo proprio.`,
  otherField: (field: string, { given }: { given: string }) =>
    `Il campo ${attribute(field)} è richiesto: il file è arrivato nel campo “${given}”.`,
  outdated: (field: string) => `${Attribute(field)} è cambiato nel frattempo.`,
  distinct: (field: string) => `${Attribute(field)} contiene un valore duplicato.`,
  lastOwner: () => 'L’ultimo titolare non può essere rimosso né cambiare ruolo.',
  priceFrom: (field: string) =>
    `${Attribute(field)} è solo il più basso di più prezzi: indicare i formati, ciascuno con il suo.`,
  priceSeveral: (field: string) =>
    `${Attribute(field)} contiene più prezzi: indicare i formati, ciascuno con il suo.`,
  cellFailed: (field: string, { value }: { value: string }) =>
    `${Attribute(field)} contiene un errore del foglio di calcolo, ${value}.`,
  deletesMany: (_: string, { n, total }: { n: number; total: number }) =>
    `Verrebbero eliminate ${n} voci su ${total}: confermarlo con delete_missing=all.`,
  allergensCleared: (_: string, { n, names }: { n: number; names: string }) =>
    `${n} piatti non dichiarerebbero più allergeni (${names}): confermarlo con confirm_allergens=1.`,
  onlyPrices: (field: string) => `${Attribute(field)} non si può cambiare con prices:write.`,
  otherCurrency: (field: string) => `${Attribute(field)} resta del ristorante: ha un’altra valuta.`,
  lockedByChain: (field: string) => `${Attribute(field)} lo decide la catena.`,
  boundedByChain: (field: string, { min, max }: { min: number; max: number }) =>
    `${Attribute(field)} deve stare fra ${min} e ${max}: lo chiede la catena.`,
  menuFull: () => 'Il menù ha raggiunto la dimensione massima: non può crescere oltre.',
  quota: (_: string, { max }: { max: number }) =>
    `Il piano di questo ristorante ne ammette al massimo ${max}: per averne di più, rivolgersi al gestore del servizio.`,
  documentSlow: () => 'Il documento richiede troppo tempo: va diviso in più documenti.',
  keyReused: () => 'Idempotency-Key è già stato usato per un’altra richiesta.',
  photoType: (field: string) =>
    `${Attribute(field)} non è una foto: si accettano JPEG, PNG, WebP e AVIF.`,
  photoHeic: (field: string) =>
    `${Attribute(field)} è in formato HEIC. Sull’iPhone: Impostazioni, Fotocamera, Formati, ` +
    '«Più compatibile»; oppure salvare la foto come JPEG.',
  photoAnimated: (field: string) => `${Attribute(field)} è un’animazione: serve un’immagine fissa.`,
  photoBroken: (field: string) =>
    `${Attribute(field)} è danneggiato o troppo complesso: salva la foto come semplice JPEG.`,
  photoSize: (field: string) => `${Attribute(field)} supera i 12 MB.`,
  photoPixels: (field: string) => `${Attribute(field)} supera i 40 milioni di pixel.`,
  photoSide: (field: string) => `${Attribute(field)} ha un lato di oltre 8.192 pixel.`,
  photoAvif: (field: string) =>
    `${Attribute(field)} è un AVIF di oltre 12,5 milioni di pixel: salvare la foto come JPEG.`,
  photoQuota: (field: string) =>
    `${Attribute(field)} non ha più posto: eliminare prima le foto che non servono.`,
  hostRecord: (_: string, { name, value }: { name: string; value: string }) =>
    `Il record TXT ${name} con il testo ${value} non si vede ancora. Un DNS può impiegare ore.`,
  screenCode: () => 'Nessuno schermo mostra ora queste lettere.',
  screenGuesses: () => 'Troppe lettere sbagliate: riprovare tra qualche minuto.',
  parentDeleted: (field: string) =>
    `${Attribute(field)} indica un elemento eliminato: ripristinare prima quello.`,
  ...bodyTexts,
  /** A sentence that a former release stored. */
  told: (_: string, { text }: { text: string }) => text,
};

/** Broken rules by field, with what the sentences name: for programs. */
export const codesSchema = v.record(
  v.string(),
  v.array(v.objectWithRest({ rule: v.picklist(Object.keys(ruleTexts)) }, v.unknown())),
);

/** Where a cell stands and what it says: `Riga 51, Lasagne, Prezzo «abc»`. */
function cellName({ row, sheet, name, column, value }: TableCell): string {
  const place = row === undefined ? '' : `Riga ${row}`;
  const quoted = column !== '' || value !== '' ? `${column} «${value}»`.trim() : '';
  return [sheet, place, name, quoted].filter(Boolean).join(', ');
}

type Template = (field: string, named: unknown) => string;

/** The Italian sentence of a rule that `field` broke: the one place that makes them. */
function sayRule(field: string, one: Broken): string {
  const text = (ruleTexts[one.rule] as Template)(field, one);
  return one.cell ? `${cellName(one.cell)}: ${text}` : text;
}

/**
 * The Italian sentences of errors.
 *
 * @param whole the name of what is wrong as a whole, whose field is empty
 */
export function sayErrors(errors: FieldErrors, whole = ''): Sentences {
  return mapErrors(errors, (one, field) => sayRule(field || whole, one));
}

/**
 * The envelope's `message`: the first error and how many more there are.
 *
 * @param count of all errors, where more are known than these
 */
export function summarize(errors: Sentences, count = 0): string {
  const messages = Object.values(errors).flat();
  const others = Math.max(count, messages.length) - 1;
  if (others <= 0) return messages[0] ?? '';
  return `${messages[0]} (e ${others} ${others === 1 ? 'altro errore' : 'altri errori'})`;
}
