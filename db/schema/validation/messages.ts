/** Error messages by field: the `errors` map of the envelope (SPEC, "Errors", 422). */
export type FieldErrors = Record<string, string[]>;

/** `category_id` reads as `category id`; a nested key such as `name.it` stays as it is. */
function attribute(field: string): string {
  return field.includes('.') ? field : field.replaceAll('_', ' ');
}

function Attribute(field: string): string {
  const text = attribute(field);
  return field.includes('.') ? text : text.charAt(0).toUpperCase() + text.slice(1);
}

/** The message of each rule, in Italian, for the person who broke it. */
export const ruleTexts = {
  required: (field: string) => `Il campo ${attribute(field)} è richiesto.`,
  numeric: (field: string) => `${Attribute(field)} deve essere un numero.`,
  integer: (field: string) => `${Attribute(field)} deve essere un numero intero.`,
  min: (field: string, min: number) => `${Attribute(field)} deve essere almeno ${min}.`,
  max: (field: string, max: number) => `${Attribute(field)} non può essere superiore a ${max}.`,
  maxLength: (field: string, max: number) =>
    `${Attribute(field)} non può contenere più di ${max} caratteri.`,
  decimals: (field: string, max: number) =>
    `${Attribute(field)} può avere al massimo ${max} decimali.`,
  maxItems: (field: string, max: number) =>
    `${Attribute(field)} non può contenere più di ${max} elementi.`,
  string: (field: string) => `${Attribute(field)} deve essere una stringa.`,
  array: (field: string) => `${Attribute(field)} deve essere un array.`,
  object: (field: string) => `${Attribute(field)} deve essere un oggetto.`,
  boolean: (field: string) => `Il campo ${attribute(field)} deve essere vero o falso.`,
  invalid: (field: string) => `${Attribute(field)} selezionato non è valido.`,
  oneOf: (field: string, values: string) =>
    `${Attribute(field)} selezionato non è valido. Valori ammessi: ${values}.`,
  color: (field: string) =>
    `Il campo ${attribute(field)} deve essere un colore esadecimale valido.`,
  format: (field: string) => `Il formato del campo ${attribute(field)} non è valido.`,
  email: (field: string) => `${Attribute(field)} non è valido.`,
  dateFormat: (field: string, format: string) =>
    `${Attribute(field)} non coincide con il formato ${format}.`,
  notBefore: (field: string, date: string) =>
    `${Attribute(field)} deve essere una data successiva o uguale al ${date}.`,
  notAfter: (field: string, date: string) =>
    `${Attribute(field)} deve essere una data precedente o uguale al ${date}.`,
  unique: (field: string) => `${Attribute(field)} è già stato utilizzato.`,
  alsoContained: (field: string) =>
    `${Attribute(field)} contiene un allergene che è già tra quelli contenuti.`,
  outdated: (field: string) => `${Attribute(field)} è cambiato nel frattempo.`,
  distinct: (field: string) => `${Attribute(field)} contiene un valore duplicato.`,
  menuFull: () => 'Il menù ha raggiunto la dimensione massima: non può crescere oltre.',
  keyReused: () => 'Idempotency-Key è già stato usato per un’altra richiesta.',
  parentDeleted: (field: string) =>
    `${Attribute(field)} indica un elemento eliminato: ripristinare prima quello.`,
};

const NO_JSON = 'Il corpo della richiesta non è JSON valido';
const NO_CSV = 'Il corpo della richiesta non è CSV valido';

/** The errors of a body that cannot be read, in Italian. */
export const bodyTexts = {
  notSimple: () => 'Il corpo della richiesta ha troppi valori, o è annidato troppo in profondità.',
  notUtf8: () => 'Il corpo della richiesta non è testo UTF-8.',
  noJson: () => `${NO_JSON}.`,
  jsonEnds: (byte: number) => `${NO_JSON}: finisce prima del previsto, al byte ${byte}.`,
  jsonBroken: (line: number, column: number, byte: number) =>
    `${NO_JSON}: errore alla riga ${line}, colonna ${column} (byte ${byte}).`,
  noCsv: () => `${NO_CSV}.`,
  csvBroken: (line: number) => `${NO_CSV}: errore alla riga ${line}.`,
  csvHeader: () => 'La prima riga del CSV deve contenere i nomi delle colonne.',
  csvLong: (rows: number) => `Il CSV non può avere più di ${rows} righe.`,
  csvWide: (row: number, cells: number, width: number) =>
    `La riga ${row} ha ${cells} celle, e l’intestazione ${width}.`,
  csvUnclear: (row: number, number: string) =>
    `Alla riga ${row} il numero ${number} si può leggere in due modi: indicare il segno dei decimali (decimal_sign).`,
  noText: () => 'Il corpo della richiesta non è testo.',
  notEncoded: (encoding: string, row: number, place: number, value: string) =>
    `La tabella non è testo ${encoding}: errore alla riga ${row}, byte ${place} (${value}).`,
};

/** The envelope's `message`: the first error and how many more there are. */
export function summarize(errors: FieldErrors): string {
  const messages = Object.values(errors).flat();
  const others = messages.length - 1;
  if (others <= 0) return messages[0] ?? '';
  return `${messages[0]} (e ${others} ${others === 1 ? 'altro errore' : 'altri errori'})`;
}
