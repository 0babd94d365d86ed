import * as v from 'valibot';
import { records } from './registry.ts';
import { rule } from './validation/rule.ts';

/** The fields of all records that a body may give. */
const names = new Set(
  Object.values(records).flatMap(({ fields }) =>
    Object.entries(fields).flatMap(([name, { input }]) => (input === null ? [] : [name])),
  ),
);

/** Names of fields with commas between them: an import changes no other ones of existing records. */
export const importFieldsSchema = v.pipe(
  v.string(),
  v.maxLength(2_000, rule('maxLength', { max: 2_000 })),
  v.transform((text) =>
    text
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  ),
  v.check((given) => given.length > 0, 'required'),
  v.check((given) => given.every((name) => names.has(name)), 'invalid'),
);
