import {
  earliestOf,
  endRelease,
  problemOfWhole,
  publishRelease,
} from '../../db/actions/plan-release.ts';
import { differenceInSteps } from '../../db/history/difference.ts';
import type { Entered } from '../../db/menu/new-version.ts';
import type { Db } from '../../db/postgres/sql.ts';
import { inSlices } from '../../db/runtime/in-slices.ts';
import { type Release, type ReleaseStep, stepsUntil } from '../../db/schema/release.ts';
import { isoSeconds } from '../../db/schema/validation/date-fields.ts';
import { broken } from '../../db/schema/validation/rule.ts';
import type { NewEntry } from '../../db/schema/version.ts';
import { type NewWrite, newWriteId } from '../../db/schema/write.ts';
import type { StoredMenu } from '../../db/sql/menus.ts';
import { storeRelease } from '../../db/sql/releases.ts';
import type { LockedTenant } from '../../db/sql/tenants.ts';
import { tellReceivers } from '../webhooks/tell.ts';

/** The menu when a release has changed it, and writes that are to be sent to branches. */
interface Taken {
  menu: StoredMenu | null;
  publications?: readonly NewWrite[];
}

/** Begins or ends one release. */
async function take(
  tx: Db,
  tenant: LockedTenant,
  menu: StoredMenu,
  { release, isEnd }: ReleaseStep,
  job: string,
): Promise<Taken> {
  const { id: tenantId, slug, locked_at: at } = tenant;
  if (isEnd) return endRelease(tx, tenantId, release, menu);
  const { ends_at: end } = release;
  if (end !== null && end <= isoSeconds(at.getTime())) {
    // No process ran in its whole span.
    const problems = problemOfWhole({ ends_at: [broken('past')] });
    await storeRelease(tx, tenantId, { ...release, state: 'ended', problems });
    return { menu: null };
  }
  const published = await publishRelease(tx, tenantId, release, menu, job, earliestOf(release, at));
  const { problems } = published;
  if (problems.length > 0) {
    await storeRelease(tx, tenantId, { ...release, state: 'failed', problems });
    const { id, name, starts_at } = release;
    const data = { restaurant: slug, release: { id, name, starts_at }, problems };
    await tellReceivers(tx, tenantId, { event: 'release.failed', at, about: id, data });
  }
  return published;
}

/**
 * Publishes and takes back the releases whose moment has come, each with an entry of its own. One that
 * does not fit fails, and changes nothing. The tenant is locked.
 *
 * @param open its releases, locked
 */
export async function publishDueReleases(
  tx: Db,
  tenant: LockedTenant,
  before: StoredMenu,
  open: readonly Release[],
): Promise<Entered> {
  const entries: NewEntry[] = [];
  const toSend: NewWrite[] = [];
  let menu = before;
  for (const step of stepsUntil(open, isoSeconds(tenant.locked_at.getTime()))) {
    const jobId = newWriteId();
    const { menu: changed, publications = [] } = await take(tx, tenant, menu, step, jobId);
    toSend.push(...publications);
    if (!changed) continue;
    const appears = () => (step.isEnd ? 'restored' : 'created');
    const steps = differenceInSteps(menu, changed, appears);
    const changes = await inSlices(steps);
    const { confirmed_by: confirmedBy } = step.release;
    const actor = { kind: 'clock', id: null } as const;
    entries.push({ actor, origin: 'release', jobId, confirmedBy, changes });
    menu = changed;
  }
  return { menu, entries, toSend };
}
