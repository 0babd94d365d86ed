import { type Labels, labels } from '../../../db/schema/field.ts';
import { bodyTexts } from '../../../db/schema/validation/messages.ts';
import { parametersOf } from './parameters.ts';
import type { Say } from './say.ts';

/** The errors of a file as a whole; `{0}`, `{1}` and `{2}` are the parameters of its text. */
const TEXTS: Record<keyof typeof bodyTexts, Labels> = {
  notSimple: labels(
    'Il file ha troppi valori.',
    'The file has too many values.',
    'Le fichier a trop de valeurs.',
    'Die Datei hat zu viele Werte.',
    'El archivo tiene demasiados valores.',
  ),
  notUtf8: labels(
    'Il file non è testo UTF-8.',
    'The file is not UTF-8 text.',
    'Le fichier n’est pas du texte UTF-8.',
    'Die Datei ist kein UTF-8-Text.',
    'El archivo no es texto UTF-8.',
  ),
  noJson: labels(
    'Il file non è JSON valido.',
    'The file is not valid JSON.',
    'Le fichier n’est pas du JSON valable.',
    'Die Datei ist kein gültiges JSON.',
    'El archivo no es JSON válido.',
  ),
  jsonEnds: labels(
    'Il file non è JSON valido: finisce prima del previsto, al byte {0}.',
    'The file is not valid JSON: it ends too soon, at byte {0}.',
    'Le fichier n’est pas du JSON valable : il finit trop tôt, à l’octet {0}.',
    'Die Datei ist kein gültiges JSON: Sie endet zu früh, bei Byte {0}.',
    'El archivo no es JSON válido: termina demasiado pronto, en el byte {0}.',
  ),
  jsonBroken: labels(
    'Il file non è JSON valido: errore alla riga {0}, colonna {1}.',
    'The file is not valid JSON: there is an error in line {0}, column {1}.',
    'Le fichier n’est pas du JSON valable : erreur à la ligne {0}, colonne {1}.',
    'Die Datei ist kein gültiges JSON: Fehler in Zeile {0}, Spalte {1}.',
    'El archivo no es JSON válido: hay un error en la línea {0}, columna {1}.',
  ),
  noCsv: labels(
    'Il file non è CSV valido.',
    'The file is not valid CSV.',
    'Le fichier n’est pas du CSV valable.',
    'Die Datei ist kein gültiges CSV.',
    'El archivo no es CSV válido.',
  ),
  csvBroken: labels(
    'Il file non è CSV valido: errore alla riga {0}.',
    'The file is not valid CSV: there is an error in line {0}.',
    'Le fichier n’est pas du CSV valable : erreur à la ligne {0}.',
    'Die Datei ist kein gültiges CSV: Fehler in Zeile {0}.',
    'El archivo no es CSV válido: hay un error en la línea {0}.',
  ),
  csvHeader: labels(
    'La prima riga della tabella deve avere i nomi delle colonne, come nella tabella che si esporta da qui.',
    'The first row of the table must have the names of the columns, as in the table that is exported here.',
    'La première ligne du tableau doit porter les noms des colonnes, comme dans le tableau exporté d’ici.',
    'Die erste Zeile der Tabelle muss die Namen der Spalten haben, wie in der Tabelle, die hier exportiert wird.',
    'La primera fila de la tabla debe tener los nombres de las columnas, como en la tabla que se exporta desde aquí.',
  ),
  csvLong: labels(
    'La tabella può avere al massimo {0} righe.',
    'The table may have at most {0} rows.',
    'Le tableau peut avoir {0} lignes au plus.',
    'Die Tabelle darf höchstens {0} Zeilen haben.',
    'La tabla puede tener {0} filas como máximo.',
  ),
  csvWide: labels(
    'La riga {0} ha {1} celle, e la prima riga {2}: forse manca una virgoletta.',
    'Row {0} has {1} cells, and the first row has {2}: perhaps a quotation mark is missing.',
    'La ligne {0} a {1} cellules et la première {2} : il manque peut-être un guillemet.',
    'Zeile {0} hat {1} Zellen, die erste Zeile {2}: Vielleicht fehlt ein Anführungszeichen.',
    'La fila {0} tiene {1} celdas y la primera {2}: quizá falta una comilla.',
  ),
};

/** The text of what a worker told in Italian of a whole file, or null when it told something else. */
export function sayBodyTrouble(say: Say, italian: string): string | null {
  for (const [name, template] of Object.entries(bodyTexts)) {
    const values = parametersOf(template as (...values: string[]) => string, italian);
    if (values)
      return say(TEXTS[name as keyof typeof bodyTexts], Object.fromEntries(values.entries()));
  }
  return null;
}
