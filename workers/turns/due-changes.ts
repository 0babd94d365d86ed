import { endSoldOut } from '../../db/actions/plan-release.ts';
import { describe, differenceInSteps } from '../../db/history/difference.ts';
import type { Entered } from '../../db/menu/new-version.ts';
import { storeDraft } from '../../db/menu/store.ts';
import type { Db } from '../../db/postgres/sql.ts';
import { inSlices } from '../../db/runtime/in-slices.ts';
import { records } from '../../db/schema/registry.ts';
import type { Release } from '../../db/schema/release.ts';
import type { Change, NewEntry } from '../../db/schema/version.ts';
import { IS_VISIBLE, type Visibility, visibilityAt } from '../../db/schema/visibility.ts';
import { recordsOf, type StoredMenu } from '../../db/sql/menus.ts';
import type { LockedTenant } from '../../db/sql/tenants.ts';
import { publishDueReleases } from '../releases/due-releases.ts';

/** How long before a moment a record is as it was before it, in ms: moments are whole seconds. */
const JUST_BEFORE = 1;

/**
 * The records that guests see or do not see any more by moments of a span of time, each as a change of
 * `is_visible`.
 *
 * @param since the first moment of the span
 * @param until the last one
 */
function appearances(menu: StoredMenu, since: Date, until: Date): Change[] {
  const before = new Date(since.getTime() - JUST_BEFORE);
  return (['categories', 'items'] as const).flatMap((resource) =>
    recordsOf(menu, records[resource]).flatMap((row) => {
      const span = row as unknown as Visibility;
      const [was, is] = [before, until].map((at) => visibilityAt(span, at) === 'now');
      if (was === is || row.is_active !== true) return [];
      const fields = { [IS_VISIBLE]: [was, is] };
      const locale = menu.settings.default_locale;
      return [describe(records[resource], 'changed', row, fields, locale)];
    }),
  );
}

/** Ends times of being sold out, and tells what appears and leaves at the moments of a span. */
async function passMoments(tx: Db, tenantId: number, before: StoredMenu, since: Date, at: Date) {
  const over = await endSoldOut(before, at);
  const menu = (over && (await storeDraft(tx, tenantId, over)).menu) ?? before;
  const changes = [
    ...(await inSlices(differenceInSteps(before, menu))),
    ...appearances(menu, since, at),
  ];
  const actor = { kind: 'clock', id: null } as const;
  const entry: NewEntry = { actor, origin: 'clock', jobId: null, changes };
  return { menu, entries: changes.length > 0 ? [entry] : [] };
}

/**
 * Does all that is due of a locked tenant: moments that have passed, then releases.
 *
 * @param open its locked releases
 */
export async function doDueChanges(
  tx: Db,
  tenant: LockedTenant,
  before: StoredMenu,
  open: readonly Release[],
): Promise<Entered> {
  const { id, locked_at: at, next_change_at: since } = tenant;
  const passed = await passMoments(tx, id, before, since ?? at, at);
  const published = await publishDueReleases(tx, tenant, passed.menu, open);
  return { ...published, entries: [...passed.entries, ...published.entries] };
}
