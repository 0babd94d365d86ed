import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { CsvError, parse } from 'csv-parse/sync';
import * as v from 'valibot';
import { OperatorError } from '../../runtime/operator-error.ts';
import { tellErrors } from '../../schema/error-sentences.ts';
import { quotaNames, type StaffedRestaurant, staffedRestaurant } from '../../schema/platform.ts';
import { errorsOf } from '../../schema/validation/check-input.ts';

// A file of restaurants that are to be made: CSV with a line for the names of columns, or JSON by line
// as `POST /platform/bulk` takes it.

const COLUMNS = [
  ...['slug', 'name', 'locale', 'email', 'person', 'role', 'token', 'scopes'],
  ...quotaNames,
];

type Row = Record<string, string>;

/** The restaurant of a row of CSV; an empty cell is a value that is missing. */
function restaurantOf(row: Row): object {
  const { slug, name, locale, email, person, role, token, scopes } = row;
  const quotas = quotaNames.flatMap((quota) => {
    const text = row[quota];
    return text === undefined ? [] : [[quota, /^\d+$/.test(text) ? Number(text) : text]];
  });
  return {
    ...{ slug, name, locale },
    ...Object.fromEntries(quotas),
    ...(email !== undefined && { user: { email, name: person, role } }),
    ...(token !== undefined && { token: { name: token, scopes: scopes?.split(/[\s;|]+/) ?? [] } }),
  };
}

interface Numbered {
  line: number;
  value: unknown;
}

function rowsOfCsv(text: string): Numbered[] {
  const options = { bom: true, info: true, skip_empty_lines: true, trim: true } as const;
  const records = parse(text, { ...options, columns: true }) as unknown as {
    record: Row;
    info: { lines: number };
  }[];
  const [first] = records;
  const unknown = Object.keys(first?.record ?? {}).filter((name) => !COLUMNS.includes(name));
  if (unknown.length > 0) {
    throw new OperatorError(
      `Unknown columns: ${unknown.join(', ')}. There are ${COLUMNS.join(', ')}.`,
    );
  }
  return records.map(({ record, info }) => {
    const filled = Object.entries(record).filter(([, cell]) => cell !== '');
    return { line: info.lines, value: restaurantOf(Object.fromEntries(filled)) };
  });
}

function rowsOfJson(text: string): Numbered[] {
  return text.split('\n').flatMap((one, index) => {
    if (one.trim() === '') return [];
    try {
      return [{ line: index + 1, value: JSON.parse(one) }];
    } catch {
      throw new OperatorError(`Line ${index + 1} is no JSON.`);
    }
  });
}

function checkRestaurant({ line, value }: Numbered): StaffedRestaurant {
  const read = v.safeParse(staffedRestaurant, value);
  if (read.success) return read.output;
  const errors = Object.entries(tellErrors('en', errorsOf(read.issues)));
  const [[field, [text = ''] = []] = ['', []]] = errors;
  throw new OperatorError(`Line ${line}, ${field}: ${text}`);
}

/**
 * The restaurants of a file. All of it is checked before anything is made.
 *
 * @throws OperatorError that names the line
 */
export async function readRestaurantFile(file: string): Promise<StaffedRestaurant[]> {
  const text = await readFile(file, 'utf8').catch((cause: Error) => {
    throw new OperatorError(`${file} cannot be read: ${cause.message}`);
  });
  const kind = extname(file).toLowerCase();
  if (kind !== '.csv' && kind !== '.jsonl') {
    throw new OperatorError(`The name of ${file} must end in .csv or .jsonl.`);
  }
  try {
    return (kind === '.csv' ? rowsOfCsv(text) : rowsOfJson(text)).map(checkRestaurant);
  } catch (error) {
    if (error instanceof CsvError) throw new OperatorError(`${file}: ${error.message}`);
    throw error;
  }
}
