import { groupBy } from '../../../db/runtime/group-by.ts';
import type { Say } from '../../../db/texts/say.ts';
import type { FormDraft } from '../forms/draft.ts';
import type { Option } from '../forms/inputs.ts';

// People name the dishes of a set menu; the API takes their ids.

/** A dish of a course, in a form. */
const ITEM = /^courses\.\d+\.options\.\d+\.item_id$/;

const alike = (name: string) => name.trim().toLowerCase();

interface Named {
  value: string;
  name: string;
  section: string;
}

/** Dishes as options: each by its name, with its section where several are called so. */
export function tellApart(dishes: readonly Named[]): Option[] {
  const called = groupBy(dishes, ({ name }) => alike(name));
  const placed = groupBy(dishes, ({ name, section }) => alike(`${name} (${section})`));
  return dishes.map(({ value, name, section }) => {
    const full = `${name} (${section})`;
    if (called.get(alike(name))?.length === 1) return { value, label: name };
    const isAlone = placed.get(alike(full))?.length === 1;
    return { value, label: isAlone ? full : `${full} · ${value}` };
  });
}

/** Whether a form names dishes of courses. */
export function namesDishes(draft: FormDraft): boolean {
  return [...draft.keys()].some((key) => ITEM.test(key));
}

/** A draft with the ids of the dishes that somebody has named, and errors by the names of controls. */
export function findDishes(say: Say, draft: FormDraft, options: readonly Option[]) {
  const byLabel = new Map(options.map(({ value, label }) => [alike(label), value]));
  const errors: Record<string, string> = {};
  const found = new Map(draft);
  for (const [key, [text = '']] of draft) {
    const name = text.trim();
    if (!ITEM.test(key) || name === '' || /^\d+$/.test(name)) continue;
    const id = byLabel.get(alike(name)) ?? / · (\d+)$/.exec(name)?.[1];
    if (id !== undefined) found.set(key, [id]);
    else {
      const isMany = options.some(({ label }) => alike(label).startsWith(`${alike(name)} (`));
      errors[key] = say(isMany ? 'contradictions.manyDishes' : 'contradictions.noDish', { name });
    }
  }
  return { draft: found, errors };
}
