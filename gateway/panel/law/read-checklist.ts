import { type Checked, checkMenu } from '../../../db/law/checklist.ts';
import { inSlices } from '../../../db/runtime/in-slices.ts';
import type { Row } from '../../../db/schema/values/row.ts';
import { loadMenu } from '../../../db/sql/menus.ts';
import { localTime } from '../../analytics/local-time.ts';
import type { Desk } from '../desk.ts';

export const CHECKLIST_PATH = '/admin/checklist';

/** The restaurant's menu, and what the law asks of it, with names in the page's language. */
export async function readChecklist({ reportDb, request, now, tenantId }: Desk) {
  const menu = await reportDb.moment((tx) => loadMenu(tx, tenantId));
  const { day } = localTime(menu.settings.timezone, now());
  const checked = await inSlices(checkMenu(menu, day, request.language));
  return { menu, checked };
}

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
