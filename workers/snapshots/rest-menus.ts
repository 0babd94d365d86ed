import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../db/postgres/sql.ts';
import type { Constants } from '../../db/runtime/constants.ts';
import { inSlices } from '../../db/runtime/in-slices.ts';
import { assembleInSteps } from '../../db/snapshot/assemble.ts';
import { headIn } from '../../db/snapshot/parts.ts';
import { restMenu } from '../../db/snapshot/rested.ts';
import { decodeInSteps } from '../../db/snapshot/template.ts';
import { claimMenusToRest, findChangedSnapshot, saveRestedMenu } from '../../db/sql/snapshots.ts';
import type { GoesOn } from '../housekeeping/rounds.ts';

type RestConstants = Pick<
  Constants,
  'buildSlice' | 'menuRest' | 'menusRestedAtOnce' | 'restingPause'
>;

/** Before every version. */
const FROM_THE_START = -1;

/**
 * Puts menus to rest that nothing has changed for `menuRest`: a gateway that reads one first need not
 * put it together. It works at a low pace: there may be very many, and no request waits for it.
 */
export async function restMenus(db: Db, goesOn: GoesOn, constants: RestConstants): Promise<void> {
  const { buildSlice, menuRest, menusRestedAtOnce, restingPause } = constants;
  while (goesOn()) {
    const claimed = await claimMenusToRest(db, menuRest, menusRestedAtOnce);
    for (const menu of claimed) {
      const stored = await findChangedSnapshot(db, menu.tenant_id, FROM_THE_START);
      // A write may have come meanwhile.
      if (stored?.head?.version !== menu.version) continue;
      const templates = await inSlices(decodeInSteps(stored.templates ?? ''), buildSlice);
      const head = headIn(stored.head, stored.default_locale);
      const rested = await restMenu(await inSlices(assembleInSteps(head, templates), buildSlice));
      if (rested) await saveRestedMenu(db, menu, rested);
    }
    if (claimed.length < menusRestedAtOnce) return;
    await sleep(restingPause);
  }
}
