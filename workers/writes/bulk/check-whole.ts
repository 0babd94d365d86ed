import type { Db } from '../../../db/postgres/sql.ts';
import { constants } from '../../../db/runtime/constants.ts';
import { inSlices } from '../../../db/runtime/in-slices.ts';
import type { Resource } from '../../../db/schema/registry.ts';
import { broken, type FieldErrors } from '../../../db/schema/validation/rule.ts';
import type { StoredMenu } from '../../../db/sql/menus.ts';
import { knowsTimeZone } from '../../../db/sql/tenants.ts';
import { growsBeyondBound } from '../menu-size.ts';
import { menuFull } from '../rules.ts';
import { checkCurrency } from './check-currency.ts';
import type { Draft } from './draft.ts';

/** The errors of the menu as a whole, after all operations. */
export async function checkWhole(
  db: Db,
  tenantId: number,
  before: StoredMenu,
  { menu, changes }: Draft,
): Promise<FieldErrors> {
  const timezone = changes()
    .patched.get('settings' as Resource)
    ?.get(0)?.timezone;
  const isKnown = typeof timezone !== 'string' || (await knowsTimeZone(db, tenantId, timezone));
  return {
    ...((await inSlices(growsBeyondBound(before, menu), constants.writeSlice)) && menuFull()),
    ...(await inSlices(checkCurrency(before, menu), constants.writeSlice)),
    ...(!isKnown && { 'settings.timezone': [broken('invalid')] }),
  };
}
