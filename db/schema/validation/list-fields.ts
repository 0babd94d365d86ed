import * as v from 'valibot';
import type { Fields } from '../field.ts';
import { externalName } from './external-name.ts';
import { blankToNull, nullableKey } from './input-fields.ts';
import { type Broken, rule } from './rule.ts';

type Row = Record<string, unknown>;

/** The list's form beside its parts. */
export interface ListForm {
  /** The fewest objects of a list, and the most. */
  min?: number;
  max: number;
  /** The rule that an object breaks as a whole, and the part to blame; `row` is as it is sent. */
  check?(row: Row): { part: string; broken: Broken } | null;
  /** Parts that follow from the others where they were left out. */
  complete?(row: Row): Row;
}

// Lists of objects in bodies of the admin API; see `input-fields.ts`.

/** The facts about a list that the rules around it do not say; the API's document takes them. */
export interface ListMetadata {
  items: v.GenericSchema;
  minItems: number;
  maxItems: number;
  /** The meaning of each part. */
  descriptions: Readonly<Record<string, string>>;
}

const EXTERNAL = 'The `external_id` of that record, instead of its id.';

function entriesOf(parts: Fields): v.ObjectEntries {
  return Object.fromEntries(
    Object.entries(parts).flatMap(([name, { input, isRequired, options, target }]) => {
      if (input === null) throw new Error('a part of a list is written with it');
      return [
        [name, isRequired ? input : v.optional(input, options.default as never)],
        ...(target === undefined ? [] : [[externalName(name), v.optional(nullableKey())]]),
      ];
    }),
  );
}

/** Texts count without the blanks around them, and a blank one is null. */
function withoutBlanks(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  return Object.fromEntries(Object.entries(given).map(([name, one]) => [name, blankToNull(one)]));
}

/** At most `max` objects; null is none. Translated parts become `<name>_translations`. */
export function listOfObjects(parts: Fields, { min = 0, max, check, complete }: ListForm) {
  const row = v.object(entriesOf(parts), ({ input }) =>
    input === undefined ? 'required' : 'object',
  );
  const checked = v.pipe(
    row,
    v.transform((sent) => ({ ...sent, ...complete?.(sent) }) as Row),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      const wrong = check?.(dataset.value);
      if (!wrong) return;
      const { part, broken } = wrong;
      const input = dataset.value;
      const path = { type: 'object', origin: 'value', input, key: part, value: input[part] };
      const message = JSON.stringify(broken);
      // A part that was left out is the client's omission, and this rule says what to make of it.
      addIssue({ message, input: input[part] ?? '', path: [path as v.ObjectPathItem] });
    }),
    v.transform((sent) =>
      Object.fromEntries(
        Object.entries(sent).map(([name, value]) => [
          parts[name]?.isTranslated ? `${name}_translations` : name,
          value,
        ]),
      ),
    ),
  );
  const descriptions = Object.fromEntries(
    Object.entries(parts).flatMap(([name, { options, target }]) => [
      [name, options.description],
      ...(target === undefined ? [] : [[externalName(name), EXTERNAL]]),
    ]),
  );
  const metadata: ListMetadata = { items: row, minItems: min, maxItems: max, descriptions };
  return v.pipe(
    v.nullable(v.array(v.unknown(), 'array')),
    v.metadata({ listed: row.entries, list: metadata }),
    v.transform((given) => given ?? []),
    // Checked before the objects are: half a million errors would help no client.
    v.maxLength(max, rule('maxItems', { max })),
    v.minLength(min, 'required'),
    v.transform((given) => given.map(withoutBlanks)),
    v.array(checked),
  );
}
