import type { Field } from '../../../db/schema/field.ts';
import { LOCALES } from '../../../db/schema/locale.ts';
import type { RecordType } from '../../../db/schema/record.ts';
import type { Say } from '../../../db/texts/say.ts';
import { type Draft, type FormPlace, one } from '../forms/draft.ts';
import { changedFields } from '../forms/read-draft.ts';
import { sayWord } from '../texts/words.ts';

/** The inputs of a field. */
function isOf(name: string, key: string): boolean {
  if (name === 'allergens') return key.startsWith('allergen.') || key.startsWith('allergens.');
  return key === name || key.startsWith(`${name}.`);
}

/** A draft in which one field is as another draft has it. */
function withFieldOf(draft: Draft, other: Draft, name: string): Draft {
  return new Map([
    ...[...draft].filter(([key]) => !isOf(name, key)),
    ...[...other].filter(([key]) => isOf(name, key)),
  ]);
}

/** The value of a field, in words. */
function describe(say: Say, name: string, field: Field, draft: Draft, before: Draft): string {
  if (field.kind === 'flag') return say(one(draft, name) === '1' ? 'editor.yes' : 'editor.no');
  if (field.isTranslated) {
    const changed = LOCALES.filter(
      (locale) => one(draft, `${name}.${locale}`) !== one(before, `${name}.${locale}`),
    );
    return changed.map((locale) => one(draft, `${name}.${locale}`)).join(' · ');
  }
  const values = [...draft].filter(([key]) => isOf(name, key)).flatMap(([, value]) => value);
  const words = values.map((value) => (field.values ? sayWord(say, name, value) : value));
  return words.filter((value) => value !== '').join(', ');
}

export interface Merged {
  /** Own changes stay; every other field is as somebody else has left it. */
  draft: Draft;
  /** Changes by somebody else, by field. */
  remarks: Record<string, string>;
}

/**
 * Joins the changes of two people to one record.
 *
 * @param base what both have seen
 * @param own what was sent
 * @param current what the other one has made of the record
 */
export function mergeDrafts(
  say: Say,
  record: RecordType,
  { base, own, current }: { base: Draft; own: Draft; current: Draft },
  place: FormPlace,
): Merged {
  const mine = new Set(changedFields(record, base, own, place).map(([name]) => name));
  let draft = own;
  const remarks: Record<string, string> = {};
  for (const [name, field] of changedFields(record, base, current, place)) {
    const now = describe(say, name, field, current, base) || say('editor.empty');
    const isMine = mine.has(name);
    if (!isMine) draft = withFieldOf(draft, current, name);
    const what = say(isMine ? 'editor.yours' : 'editor.taken');
    remarks[name] = `${say('editor.theirs', { now })}. ${what}`;
  }
  return { draft, remarks };
}
