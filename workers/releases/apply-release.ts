import { describeDiff } from '../../db/menu/describe-diff.ts';
import { type Applied, bulkDone, invalid, missing } from '../../db/menu/outcome.ts';
import { noPast } from '../../db/menu/rules.ts';
import { resultsWithIds } from '../../db/menu/store.ts';
import type { Db } from '../../db/postgres/sql.ts';
import { constants } from '../../db/runtime/constants.ts';
import type { ImportDiff, OperationResult } from '../../db/schema/bulk.ts';
import type { Release } from '../../db/schema/release.ts';
import { broken } from '../../db/schema/validation/rule.ts';
import { sentAt, type Write } from '../../db/schema/write.ts';
import type { StoredMenu } from '../../db/sql/menus.ts';
import { listReleases, lockRelease } from '../../db/sql/releases.ts';
import { allowIdleTransaction } from '../../db/sql/transactions.ts';
import { createForecast } from './forecast.ts';
import {
  earliestOf,
  endRelease,
  planEnd,
  planRelease,
  publishRelease,
  type ReleasePlan,
} from './plan-release.ts';

/** The answer to a release that the menu as a whole does not allow; null when it does. */
function refusal({ problems }: ReleasePlan): Applied | null {
  const whole = problems.find(({ path }) => path === '');
  return whole ? invalid(whole.errors, null) : null;
}

/** The answer to a try, which changes nothing. */
function tried(results: OperationResult[], ignored: readonly string[], diff?: ImportDiff): Applied {
  const said = { applied: false, dry_run: true, results, ignored: [...ignored] };
  return bulkDone({ ...said, ...(diff && { diff }) }, null);
}

/** Tries a release on the menu on which it will be published. */
async function tryOut(db: Db, write: Write, release: Release, menu: StoredMenu): Promise<Applied> {
  const { tenant_id: tenantId, input } = write;
  const now = sentAt(write);
  const forecast = createForecast(db, tenantId, menu, await listReleases(db, tenantId), now);
  const before = await forecast.before(release);
  const plan = await planRelease(db, release, before, earliestOf(release, now));
  const refused = refusal(plan);
  if (refused) return refused;
  const { draft, results, ignored } = plan;
  if (input.diff !== true) return tried(resultsWithIds(results, new Map()), ignored);
  const operations = release.operations.map((operation) => ({ operation, path: '' }));
  return tried([], ignored, describeDiff(before, draft.menu, results, operations));
}

/** Says what the end of a live release would take back. */
async function tryEnd(
  db: Db,
  { tenant_id: tenantId, input }: Write,
  release: Release,
  menu: StoredMenu,
): Promise<Applied> {
  const { draft, results } = await planEnd(db, tenantId, release, menu);
  if (input.diff !== true || !draft) return tried([...results], []);
  return tried([], [], describeDiff(menu, draft.menu, results, []));
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
  await allowIdleTransaction(db, constants.documentExpirySeconds);
  const release = await lockRelease(db, tenantId, Number(input.release_id));
  if (!release) return missing(null);
  if (input.end === true) {
    if (release.state !== 'live') return wrongState(release, ['live']);
    const { results, menu: after } = await endRelease(db, tenantId, release, menu);
    return bulkDone({ applied: true, dry_run: false, results: [...results], ignored: [] }, after);
  }
  if (input.dry_run === true && release.state === 'live') return tryEnd(db, write, release, menu);
  if (input.dry_run === true) return tryOut(db, write, release, menu);
  if (!PUBLISHABLE.includes(release.state)) return wrongState(release, PUBLISHABLE);
  const published = await publishRelease(
    db,
    tenantId,
    release,
    menu,
    write.id,
    noPast(sentAt(write)),
  );
  const { plan, ids, menu: after } = published;
  const applied = plan.problems.length === 0;
  const results = resultsWithIds(plan.results, ids);
  const ignored = [...plan.ignored];
  return refusal(plan) ?? bulkDone({ applied, dry_run: false, results, ignored }, after);
}
