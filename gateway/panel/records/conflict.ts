import { allergens } from '../../../db/schema/dictionary.ts';
import type { Field } from '../../../db/schema/field.ts';
import type { RecordType } from '../../../db/schema/record.ts';
import { ALL_LOCALES } from '../../../db/schema/values/locale.ts';
import type { Say } from '../../../db/texts/say.ts';
import { type FormDraft, type FormPlace, fieldOfInput, one, withFieldsOf } from '../forms/draft.ts';
import { changedFields } from '../forms/read-draft.ts';
import { sayWord } from '../texts/choose.ts';

/** Fields that one group of controls edits: a change of one is a change of both. */
const TOGETHER: Readonly<Record<string, string>> = { traces: 'allergens' };
const groupOf = (name: string) => TOGETHER[name] ?? name;

/** A declaration, in words. */
function describeAllergens(say: Say, draft: FormDraft): string {
  if (one(draft, 'allergens.declared') !== '1') return say('editor.undeclared');
  const named = allergens.keys.flatMap((key) => {
    const answer = one(draft, `allergen.${key}`);
    const name = say(allergens.label(key));
    if (answer === 'contains') return [name];
    return answer === 'may' ? [`${name} (${say('editor.may')})`] : [];
  });
  return named.join(', ') || say('editor.noAllergen');
}

/** The value of a field, in words. @param name of its group */
function describe(say: Say, name: string, field: Field, draft: FormDraft, before: FormDraft) {
  if (name === 'allergens') return describeAllergens(say, draft);
  if (field.kind === 'flag') return say(one(draft, name) === '1' ? 'editor.yes' : 'editor.no');
  if (field.isTranslated) {
    const changed = ALL_LOCALES.filter(
      (locale) => one(draft, `${name}.${locale}`) !== one(before, `${name}.${locale}`),
    );
    return changed.map((locale) => one(draft, `${name}.${locale}`)).join(' · ');
  }
  const own = [...draft].filter(([key]) => fieldOfInput(key) === name);
  const values = own.flatMap(([, value]) => value);
  const words = values.map((value) => (field.values ? sayWord(say, name, value) : value));
  return words.filter((value) => value !== '').join(', ');
}

/**
 * Joins the changes of two people to one record: own changes stay, and every other field is as somebody
 * else has left it. The remarks tell their changes, by field.
 *
 * @param base what both have seen
 * @param own what was sent
 * @param current what the other one has made of the record
 */
export function mergeDrafts(
  say: Say,
  record: RecordType,
  { base, own, current }: { base: FormDraft; own: FormDraft; current: FormDraft },
  place: FormPlace,
) {
  const mine = new Set(changedFields(record, base, own, place).map(([name]) => groupOf(name)));
  let draft = own;
  const remarks: Record<string, string> = {};
  for (const [changed, field] of changedFields(record, base, current, place)) {
    const name = groupOf(changed);
    const now = describe(say, name, field, current, base) || say('editor.empty');
    const isMine = mine.has(name);
    if (!isMine) draft = withFieldsOf(draft, current, new Set([name]));
    const what = say(isMine ? 'editor.yours' : 'editor.taken');
    remarks[name] = `${say('editor.theirs', { now })}. ${what}`;
  }
  return { draft, remarks };
}
