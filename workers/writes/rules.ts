import { constants } from '../../db/runtime/constants.ts';
import type { DishInput } from '../../db/schema/dish.ts';
import type { Resource } from '../../db/schema/resource.ts';
import type { SectionInput } from '../../db/schema/section.ts';
import type { SettingsInput } from '../../db/schema/settings.ts';
import type { TypeInput } from '../../db/schema/type.ts';
import type { Input } from '../../db/schema/validation/check-input.ts';
import { type FieldErrors, ruleTexts } from '../../db/schema/validation/messages.ts';
import type { StoredMenu, StoredSection } from '../../db/sql/menu/load-menu.ts';
import { hasRoomFor } from './menu-size.ts';

// The rules that one body alone cannot show: they look at the menu that the write is about to
// change, and at the record as it would be afterwards. A menu holds no deleted records.

function invalidFields(verdicts: Record<string, boolean>): FieldErrors {
  const broken = Object.entries(verdicts).filter(([, valid]) => !valid);
  return Object.fromEntries(broken.map(([field]) => [field, [ruleTexts.invalid(field)]]));
}

function has(records: readonly { id: number }[], id: number): boolean {
  return records.some((record) => record.id === id);
}

function checkDish(menu: StoredMenu, input: Partial<DishInput>, id: number | null): FieldErrors {
  const current = menu.dishes.find((dish) => dish.id === id);
  const after = { type_id: null, winery_id: null, ...current, ...input };
  const type = menu.types.find(({ id: typeId }) => typeId === after.type_id);
  return invalidFields({
    category_id: has(menu.sections, after.category_id as number),
    type_id: after.type_id === null || type?.category_id === after.category_id,
    winery_id: after.winery_id === null || has(menu.wineries, after.winery_id as number),
  });
}

function checkType(menu: StoredMenu, input: Partial<TypeInput>, id: number | null): FieldErrors {
  const { category_id } = input;
  if (category_id === undefined) return {};
  // A type that moved away would leave its dishes with a type of another section.
  const dishes = id === null ? [] : menu.dishes.filter((dish) => dish.type_id === id);
  return invalidFields({
    category_id:
      has(menu.sections, category_id) && dishes.every((dish) => dish.category_id === category_id),
  });
}

/** A section's place in the tree. */
type Placed = Pick<StoredSection, 'id' | 'parent_id'>;

/** From a section's parent up to the top; ends where it comes round to `stop`. */
function ancestors(sections: readonly Placed[], parentId: number, stop: number | null): number[] {
  const parents = new Map(sections.map((section) => [section.id, section.parent_id]));
  const chain: number[] = [];
  for (let at: number | null = parentId; at !== null; at = parents.get(at) ?? null) {
    chain.push(at);
    if (at === stop) break;
  }
  return chain;
}

function heightBelow(sections: readonly Placed[], id: number | null): number {
  const children = sections.filter((section) => id !== null && section.parent_id === id);
  return children.reduce(
    (height, child) => Math.max(height, 1 + heightBelow(sections, child.id)),
    0,
  );
}

/** Whether a section, with those below it, may stand below `parentId`. */
export function isPlace(sections: readonly Placed[], parentId: number, id: number | null): boolean {
  if (!has(sections, parentId)) return false;
  const chain = ancestors(sections, parentId, id);
  if (id !== null && chain.includes(id)) return false;
  return chain.length + 1 + heightBelow(sections, id) <= constants.maxSectionDepth;
}

type Times = Pick<StoredSection, 'time_visibility_enabled' | 'time_start' | 'time_end'>;

/** A time span has both its ends, and a section that is shown by time has a span. */
function checkTimes(after: Times): FieldErrors {
  const { time_visibility_enabled: enabled, time_start: start, time_end: end } = after;
  const errors: FieldErrors = {};
  if (start === null && (enabled || end !== null)) {
    errors.time_start = [ruleTexts.required('time_start')];
  }
  if (end === null && (enabled || start !== null)) {
    errors.time_end = [ruleTexts.required('time_end')];
  }
  return errors;
}

function checkSection(
  menu: StoredMenu,
  input: Partial<SectionInput>,
  id: number | null,
): FieldErrors {
  const current = menu.sections.find((section) => section.id === id);
  const nothing = { time_visibility_enabled: false, time_start: null, time_end: null };
  const parentId = input.parent_id ?? null;
  return {
    ...invalidFields({ parent_id: parentId === null || isPlace(menu.sections, parentId, id) }),
    ...checkTimes({ ...nothing, ...current, ...input } as Times),
  };
}

function checkSettings(menu: StoredMenu, input: Partial<SettingsInput>): FieldErrors {
  const after = { ...menu.settings, ...input };
  return invalidFields({ default_locale: after.supported_locales.includes(after.default_locale) });
}

function checkRecord(
  menu: StoredMenu,
  resource: Resource,
  input: Input,
  id: number | null,
): FieldErrors {
  if (resource === 'items') return checkDish(menu, input, id);
  if (resource === 'types') return checkType(menu, input, id);
  if (resource === 'categories') return checkSection(menu, input, id);
  if (resource === 'settings') return checkSettings(menu, input);
  return {};
}

/** What is wrong with a write that would make the menu too long. */
export function menuFull(): FieldErrors {
  return { menu: [ruleTexts.menuFull()] };
}

/**
 * What is wrong with a write whose shape is right.
 *
 * @param id of the record that is changed; null when one is created
 */
export function checkAgainstMenu(
  menu: StoredMenu,
  resource: Resource,
  input: Input,
  id: number | null,
): FieldErrors {
  return {
    ...checkRecord(menu, resource, input, id),
    ...(!hasRoomFor(menu, resource, input, id) && menuFull()),
  };
}
