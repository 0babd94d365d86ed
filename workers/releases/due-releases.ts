import { v7 as uuidV7 } from 'uuid';
import { differenceInSteps } from '../../db/history/difference.ts';
import type { Db } from '../../db/postgres/sql.ts';
import { constants } from '../../db/runtime/constants.ts';
import { inSlices } from '../../db/runtime/in-slices.ts';
import type { Release } from '../../db/schema/release.ts';
import { isoSeconds } from '../../db/schema/validation/date-fields.ts';
import { broken } from '../../db/schema/validation/rule.ts';
import type { NewEntry } from '../../db/schema/version.ts';
import type { StoredMenu } from '../../db/sql/menus.ts';
import { lockOpenReleases, storeRelease } from '../../db/sql/releases.ts';
import type { LockedTenant } from '../../db/sql/tenants.ts';
import { endRelease, publishRelease } from './publish-release.ts';
import { tellFailure } from './tell-failure.ts';

/** A menu after changes, and the entries that these have in the history. */
export interface Entered {
  menu: StoredMenu;
  entries: NewEntry[];
}

/** A release whose moment has come. */
interface Step {
  release: Release;
  isEnd: boolean;
  moment: string;
}

/** The steps that are due, in their order: an end comes before a beginning of the same moment. */
function dueSteps(open: readonly Release[], at: Date): Step[] {
  const now = isoSeconds(at.getTime());
  const steps = open.flatMap((release): Step[] => {
    const { state, starts_at, ends_at } = release;
    const moment = state === 'scheduled' ? starts_at : state === 'live' ? ends_at : null;
    if (moment === null || moment > now) return [];
    return [{ release, isEnd: state === 'live', moment }];
  });
  const order = (left: Step, right: Step) =>
    Number(right.isEnd) - Number(left.isEnd) || left.release.id - right.release.id;
  return steps.sort((left, right) =>
    left.moment === right.moment ? order(left, right) : left.moment < right.moment ? -1 : 1,
  );
}

/** Begins or ends one release; the menu when it has changed. */
async function take(
  tx: Db,
  tenant: LockedTenant,
  menu: StoredMenu,
  { release, isEnd }: Step,
  job: string,
): Promise<StoredMenu | null> {
  const { id: tenantId, locked_at: at, version } = tenant;
  if (isEnd) return endRelease(tx, tenantId, release, menu, version);
  const { ends_at: end } = release;
  if (end !== null && end <= isoSeconds(at.getTime())) {
    // No process ran in its whole span.
    const missed = { path: '', resource: null, id: null, external_id: null };
    const problems = [{ ...missed, errors: { ends_at: [broken('past')] } }];
    await storeRelease(tx, tenantId, { ...release, state: 'ended', problems });
    return null;
  }
  const published = await publishRelease(tx, tenantId, release, menu, job);
  const { problems } = published.plan;
  if (problems.length > 0) {
    const failed: Release = { ...release, state: 'failed', problems };
    await storeRelease(tx, tenantId, failed);
    await tellFailure(tx, tenant, failed);
  }
  return published.menu;
}

/**
 * Publishes and takes back the releases whose moment has come, each with an entry of its own. One that
 * does not fit fails, and changes nothing. The tenant is locked.
 */
export async function publishDueReleases(
  tx: Db,
  tenant: LockedTenant,
  before: StoredMenu,
): Promise<Entered> {
  const open = await lockOpenReleases(tx, tenant.id);
  const entries: NewEntry[] = [];
  let menu = before;
  for (const step of dueSteps(open, tenant.locked_at)) {
    const jobId = uuidV7();
    const changed = await take(tx, tenant, menu, step, jobId);
    if (!changed) continue;
    const appears = () => (step.isEnd ? 'restored' : 'created') as 'restored' | 'created';
    const difference = differenceInSteps(menu, changed, appears);
    const changes = await inSlices(difference, constants.writeSlice);
    entries.push({ actor: { kind: 'clock', id: null }, origin: 'release', jobId, changes });
    menu = changed;
  }
  return { menu, entries };
}
