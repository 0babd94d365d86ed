import { type Labels, labels } from '../../../db/schema/field.ts';
import { ruleTexts } from '../../../db/schema/validation/messages.ts';
import { parametersOf } from './parameters.ts';
import type { Say } from './say.ts';

type RuleName = keyof typeof ruleTexts;

/** The message of each rule beside the field that breaks it; `{n}` is its limit. */
const TEXTS: Partial<Record<RuleName, Labels>> = {
  required: labels(
    'Va compilato.',
    'This is missing.',
    'Ce champ manque.',
    'Das fehlt noch.',
    'Falta este dato.',
  ),
  numeric: labels(
    'Scrivi un numero, per esempio 12,50.',
    'Enter a number, such as 12.50.',
    'Saisissez un nombre, par exemple 12,50.',
    'Geben Sie eine Zahl ein, etwa 12,50.',
    'Escribe un número, por ejemplo 12,50.',
  ),
  integer: labels(
    'Scrivi un numero intero.',
    'Enter a whole number.',
    'Saisissez un nombre entier.',
    'Geben Sie eine ganze Zahl ein.',
    'Escribe un número entero.',
  ),
  min: labels(
    'Almeno {n}.',
    'At least {n}.',
    'Au moins {n}.',
    'Mindestens {n}.',
    'Como mínimo {n}.',
  ),
  max: labels(
    'Al massimo {n}.',
    'At most {n}.',
    'Au plus {n}.',
    'Höchstens {n}.',
    'Como máximo {n}.',
  ),
  maxLength: labels(
    'Al massimo {n} caratteri.',
    'At most {n} characters.',
    '{n} caractères au plus.',
    'Höchstens {n} Zeichen.',
    '{n} caracteres como máximo.',
  ),
  decimals: labels(
    'Al massimo {n} decimali.',
    'At most {n} decimals.',
    '{n} décimales au plus.',
    'Höchstens {n} Nachkommastellen.',
    '{n} decimales como máximo.',
  ),
  maxItems: labels(
    'Al massimo {n}.',
    'At most {n}.',
    '{n} au plus.',
    'Höchstens {n}.',
    '{n} como máximo.',
  ),
  invalid: labels(
    'Questa scelta non va bene.',
    'This choice is not valid.',
    'Ce choix n’est pas valable.',
    'Diese Auswahl passt nicht.',
    'Esta elección no es válida.',
  ),
  oneOf: labels(
    'Scegli una delle voci.',
    'Choose one of the entries.',
    'Choisissez une des entrées.',
    'Wählen Sie einen der Einträge.',
    'Elige una de las opciones.',
  ),
  color: labels(
    'Scrivi un colore come #A63D2F.',
    'Enter a colour such as #A63D2F.',
    'Saisissez une couleur comme #A63D2F.',
    'Geben Sie eine Farbe ein, etwa #A63D2F.',
    'Escribe un color como #A63D2F.',
  ),
  format: labels(
    'Non è scritto nella forma giusta.',
    'This is not in the right form.',
    'La forme n’est pas la bonne.',
    'Die Form stimmt nicht.',
    'No tiene la forma correcta.',
  ),
  email: labels(
    'Scrivi un indirizzo come info@esempio.it.',
    'Enter an address such as info@example.com.',
    'Saisissez une adresse comme info@exemple.fr.',
    'Geben Sie eine Adresse ein, etwa info@beispiel.de.',
    'Escribe una dirección como info@ejemplo.es.',
  ),
  dateFormat: labels(
    'Data oppure ora non valida.',
    'This date or time is not valid.',
    'Date ou heure non valable.',
    'Datum oder Uhrzeit stimmt nicht.',
    'Fecha u hora no válida.',
  ),
  notBefore: labels(
    'Non prima del {n}.',
    'Not before {n}.',
    'Pas avant le {n}.',
    'Nicht vor dem {n}.',
    'No antes del {n}.',
  ),
  unique: labels(
    'C’è già un altro con questo codice.',
    'Another one has it already.',
    'Un autre l’a déjà.',
    'Ein anderer Eintrag hat das schon.',
    'Ya lo tiene otro.',
  ),
  alsoContained: labels(
    'Un allergene non può essere insieme contenuto e in tracce.',
    'An allergen cannot be both contained and a trace.',
    'Un allergène ne peut pas être à la fois contenu et en trace.',
    'Ein Allergen kann nicht zugleich enthalten und eine Spur sein.',
    'Un alérgeno no puede estar contenido y en trazas a la vez.',
  ),
  outdated: labels(
    'È cambiato nel frattempo.',
    'It has changed meanwhile.',
    'Cela a changé entre-temps.',
    'Das hat sich inzwischen geändert.',
    'Ha cambiado mientras tanto.',
  ),
  distinct: labels(
    'C’è due volte la stessa voce.',
    'The same entry is there twice.',
    'La même entrée y est deux fois.',
    'Derselbe Eintrag steht zweimal da.',
    'La misma opción está dos veces.',
  ),
  menuFull: labels(
    'Il menù è pieno: non può crescere oltre.',
    'The menu is full and cannot grow.',
    'La carte est pleine.',
    'Die Karte ist voll.',
    'La carta está llena.',
  ),
  notAfter: labels(
    'Non dopo il {n}.',
    'Not after {n}.',
    'Pas après le {n}.',
    'Nicht nach dem {n}.',
    'No después del {n}.',
  ),
  boolean: labels(
    'Scrivi 1 per sì oppure 0 per no.',
    'Enter 1 for yes or 0 for no.',
    'Saisissez 1 pour oui ou 0 pour non.',
    'Geben Sie 1 für Ja oder 0 für Nein ein.',
    'Escribe 1 para sí o 0 para no.',
  ),
  parentDeleted: labels(
    'La sua sezione è eliminata: ripristina prima quella.',
    'Its section is deleted: restore that first.',
    'Sa section est supprimée : rétablissez-la d’abord.',
    'Der Bereich ist gelöscht: Stellen Sie ihn zuerst wieder her.',
    'Su sección está eliminada: recupérala primero.',
  ),
};

/** The text of a broken rule, such as `maxLength:200`, in the page's language. */
export function sayRuleIn(say: Say, code: string): string {
  const [name = '', ...limit] = code.split(':');
  const text = TEXTS[name as RuleName] ?? (TEXTS.format as Labels);
  return say(text, { n: limit.join(':') });
}

type Template = (field: string, ...limits: string[]) => string;

/**
 * The text of an error that a worker told in Italian, in the page's language; the Italian one where the
 * rule behind it cannot be told.
 */
export function translateError(say: Say, field: string, italian: string): string {
  for (const [name, template] of Object.entries(ruleTexts)) {
    const of = template as Template;
    const limits = parametersOf(
      of.length > 1 ? (limit: string) => of(field, limit) : () => of(field),
      italian,
    );
    if (limits) return sayRuleIn(say, [name, ...limits].join(':'));
  }
  return italian;
}
