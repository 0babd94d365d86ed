import { type Row, rowsIn } from '../schema/values/row.ts';
import { fieldsOf, type Text } from './in-menu.ts';
import { safeKey } from './in-names.ts';

// Objects of lists, such as sizes and options: which one of here a service means.

/** The end of a key that an export has made of a place in a list. */
const MADE = /\.(size|opt)-\d+$/;

/** An object of a list as a service has it. */
interface InPart {
  name: Text;
  key?: string | undefined;
}

/** Whether a key is one of those that exports make. */
export const isMadeKey = (key: string) => MADE.test(key);

/** The texts of a name in all of its languages. */
function textsOf(name: unknown): Set<string> {
  const texts = typeof name === 'string' ? [name] : Object.values(fieldsOf(name));
  return new Set(texts.flatMap((one) => (typeof one === 'string' ? [one.trim()] : [])));
}

/**
 * The object of here for each one of a service, by its key, else by its name. None is found by its
 * place: in another order it would be that of another option.
 */
export function matchParts(
  present: unknown,
  given: readonly InPart[],
  nameOf: (row: Row) => unknown = ({ label }) => label,
): (Row | undefined)[] {
  const left = new Set(rowsIn(present));
  const take = (isIt: (row: Row) => boolean) => {
    const found = [...left].find(isIt);
    if (found) left.delete(found);
    return found;
  };
  const byKey = given.map(({ key }) => {
    return key === undefined ? undefined : take(({ external_id }) => external_id === key);
  });
  return given.map(({ name }, at) => {
    const texts = textsOf(name);
    return byKey[at] ?? take((row) => [...textsOf(nameOf(row))].some((one) => texts.has(one)));
  });
}

/**
 * The keys of a list's objects, each once: those of here stay, and new ones get that of the service.
 *
 * @param before what `matchParts` has found
 */
export function keysOfParts(given: readonly InPart[], before: readonly (Row | undefined)[]) {
  const used = new Set(before.map((row) => row?.external_id));
  return given.map(({ key }, at) => {
    const own = before[at]?.external_id;
    if (typeof own === 'string') return { external_id: own };
    if (key === undefined || key === '' || isMadeKey(key)) return {};
    const external_id = safeKey(key);
    if (used.has(external_id)) return {};
    used.add(external_id);
    return { external_id };
  });
}
