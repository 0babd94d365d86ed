import type { Checked } from '../../../db/law/checklist.ts';
import type { Row } from '../../../db/schema/values/row.ts';

export const CHECKLIST_PATH = '/admin/checklist';

/** Fields that a page can fill for many dishes: each with a value of its own, or one for all. */
export const FILLABLE: Readonly<Record<string, 'each' | 'all'>> = {
  kcal: 'each',
  volume_ml: 'each',
  price: 'each',
  origins: 'all',
  allergen_detail: 'all',
};

/** The field of a rule's dishes that can be filled together; undefined when there is none. */
export function fillableField({ missing }: Checked): string | undefined {
  return missing.find(({ resource, field }) => resource === 'items' && field in FILLABLE)?.field;
}

/** The page of a record, at the field that it lacks. */
export function fieldPath({ resource, id, field }: Row): string {
  const page = resource === 'settings' ? '/admin/restaurant' : `/admin/menu/items/${id}`;
  return `${page}?field=${field}#f-${field}`;
}
