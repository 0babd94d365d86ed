import {
  createForecast,
  endRelease,
  planEnd,
  publishRelease,
} from '../../db/actions/plan-release.ts';
import { type Applied, bulkDone, invalid, missing } from '../../db/menu/outcome.ts';
import { noPast } from '../../db/menu/rules.ts';
import type { Db } from '../../db/postgres/sql.ts';
import type { Release } from '../../db/schema/release.ts';
import { broken } from '../../db/schema/validation/rule.ts';
import { sentAt, type Write } from '../../db/schema/write.ts';
import type { StoredMenu } from '../../db/sql/menus.ts';
import { listReleases, lockRelease } from '../../db/sql/releases.ts';

/** Tries a release on the menu on which it will be published. */
async function tryOut(db: Db, write: Write, release: Release, menu: StoredMenu): Promise<Applied> {
  const { tenant_id: tenantId, input } = write;
  const all = await listReleases(db, tenantId);
  const plan = await createForecast(db, tenantId, menu, all, sentAt(write))(release);
  const operations = release.operations.map((operation) => ({ operation, path: '' }));
  return bulkDone(plan, { isForPeople: input.diff === true, operations });
}

const PUBLISHABLE: readonly Release['state'][] = ['draft', 'scheduled', 'failed'];

/** A release can be published, or ended, in some states only. */
function wrongState({ state }: Release, values: readonly Release['state'][]): Applied {
  return invalid({ state: [broken('inState', { state, values })] }, null);
}

/**
 * Publishes a release at once, tries it out, or ends it, in the transaction of its tenant's queue.
 *
 * @param write its `input` has `release_id`, and `dry_run` or `end`
 */
export async function applyRelease(db: Db, write: Write, menu: StoredMenu): Promise<Applied> {
  const { tenant_id: tenantId, input } = write;
  const release = await lockRelease(db, tenantId, Number(input.release_id));
  if (!release) return missing(null);
  const isForPeople = input.diff === true;
  if (input.end === true) {
    if (release.state !== 'live') return wrongState(release, ['live']);
    return bulkDone(await endRelease(db, tenantId, release, menu), { isForPeople: false });
  }
  if (input.dry_run === true && release.state === 'live') {
    return bulkDone(await planEnd(db, tenantId, release, menu), { isForPeople });
  }
  if (input.dry_run === true) return tryOut(db, write, release, menu);
  if (!PUBLISHABLE.includes(release.state)) return wrongState(release, PUBLISHABLE);
  const earliest = noPast(sentAt(write));
  const plan = await publishRelease(db, tenantId, release, menu, write.id, earliest);
  const { confirmed_by: confirmedBy } = release;
  const { publications: toSend = [] } = plan;
  return { ...bulkDone(plan, { isForPeople: false }), confirmedBy, toSend };
}
