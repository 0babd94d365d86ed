import type { Db } from '../../../db/postgres/sql.ts';
import { constants } from '../../../db/runtime/constants.ts';
import { inSlices } from '../../../db/runtime/in-slices.ts';
import type { Resource } from '../../../db/schema/registry.ts';
import { broken, type FieldErrors } from '../../../db/schema/validation/rule.ts';
import { knowsTimeZone } from '../../../db/sql/tenants.ts';
import { growsBeyondBound } from '../menu-size.ts';
import { menuFull } from '../rules.ts';
import { checkCurrency } from './check-currency.ts';
import type { Draft } from './draft.ts';

/** The errors of the menu as a whole, after all operations. */
export async function checkWhole(db: Db, tenantId: number, draft: Draft): Promise<FieldErrors> {
  const timezone = draft
    .changes()
    .patched.get('settings' as Resource)
    ?.get(0)?.timezone;
  const isKnown = typeof timezone !== 'string' || (await knowsTimeZone(db, tenantId, timezone));
  return {
    ...((await inSlices(growsBeyondBound(draft), constants.writeSlice)) && menuFull()),
    ...(await inSlices(checkCurrency(draft.before, draft.menu), constants.writeSlice)),
    ...(!isKnown && { 'settings.timezone': [broken('invalid')] }),
  };
}
