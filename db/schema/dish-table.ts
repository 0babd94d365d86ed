import { dish } from './dish.ts';
import type { Field } from './field.ts';
import { LOCALES, type Locale, type Translations } from './locale.ts';
import type { Row } from './record.ts';
import { externalName } from './validation/external-name.ts';

// Dishes as a table: the columns of CSV, both ways. A translated field has a column a language.

/** A column of the table. */
interface Column {
  name: string;
  field: Field | undefined;
  /** The field that the column says something of. */
  fieldName: string;
  locale?: Locale;
}

/** How a cell says that a dish contains no allergen; an empty one says nothing of allergens. */
const NONE = 'none';
const SEPARATOR = ' ';

export const dishColumns: readonly Column[] = [
  { name: 'id', field: undefined, fieldName: 'id' },
  ...Object.entries<Field>(dish.fields).flatMap(([fieldName, field]): Column[] => {
    if (field.input === null) return [];
    if (field.isTranslated) {
      return LOCALES.map((locale) => ({
        name: `${fieldName}_${locale}`,
        field,
        fieldName,
        locale,
      }));
    }
    const own = { name: fieldName, field, fieldName };
    if (field.target === undefined) return [own];
    const external = externalName(fieldName);
    return [own, { name: external, field: undefined, fieldName: external }];
  }),
];

/** A cell's text for a value of a document. */
export function toCell({ field, fieldName, locale }: Column, record: Row): string {
  const value = record[fieldName];
  if (locale) return (value as Translations | null)?.[locale] ?? '';
  if (value === null || value === undefined) return '';
  if (field?.kind === 'flag') return value ? '1' : '0';
  if (field?.kind === 'variants') return (value as unknown[]).length ? JSON.stringify(value) : '';
  if (!Array.isArray(value)) return String(value);
  return value.length === 0 && fieldName === 'allergens' ? NONE : value.join(SEPARATOR);
}

/** A beginning that makes a spreadsheet run a cell as a formula, behind any number of guards. */
const FORMULA = /^'*[=+\-@\t\r\uff0b\uff0d\uff1d\uff20]/;

/** A cell that no spreadsheet runs as a formula. */
export function guardCell(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** Undoes `guardCell`. */
export function unguardCell(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}

/** Fields that an empty cell leaves as they are, since they have no empty value. */
const SOLID = new Set(['flag', 'integer', 'price', 'reference']);

function fromCell({ field, fieldName }: Column, text: string): unknown {
  if (fieldName === 'id') return Number(text);
  if (field?.kind === 'price') return text.replace(',', '.');
  if (field?.kind === 'variants') return parseVariants(text);
  if (field?.kind !== 'choices') return text;
  return text === NONE ? [] : text.split(/[\s,;|]+/).filter(Boolean);
}

/** A text that is no JSON is handed on as it is: the rules say what is wrong with it. */
function parseVariants(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

/** A reference is null when each of its columns that the table has is empty. */
function clearReferences(cells: ReadonlyMap<string, string>, record: Row): void {
  for (const [name, field] of Object.entries<Field>(dish.fields)) {
    if (field.target === undefined || field.isRequired) continue;
    const given = [name, externalName(name)].filter((column) => cells.has(column));
    if (given.length > 0 && given.every((column) => !(column in record))) record[name] = null;
  }
}

/** A record of a document from the cells of a row, by the names of their columns. */
export function fromCells(cells: ReadonlyMap<string, string>): Row {
  const record: Row = {};
  for (const column of dishColumns) {
    const text = cells.get(column.name)?.trim();
    if (text === undefined) continue;
    const { field, fieldName, locale } = column;
    if (locale) {
      record[fieldName] = {
        ...(record[fieldName] as Translations),
        ...(text && { [locale]: text }),
      };
    } else if (text !== '') {
      record[fieldName] = fromCell(column, text);
    } else if (field && (!SOLID.has(field.kind) || fieldName === 'vintage')) {
      record[fieldName] = field.kind === 'choices' && fieldName !== 'allergens' ? [] : null;
    }
  }
  clearReferences(cells, record);
  return record;
}
