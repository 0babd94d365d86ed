import { type Publication, planPublication } from '../../db/chain/plan-publication.ts';
import { applyChange } from '../../db/menu/change.ts';
import type { Draft } from '../../db/menu/draft.ts';
import { type Applied, missing } from '../../db/menu/outcome.ts';
import type { Db } from '../../db/postgres/sql.ts';
import { TooSlowError } from '../../db/runtime/in-slices.ts';
import { countOutcomes } from '../../db/schema/bulk.ts';
import type { PublishedOutcome } from '../../db/schema/chain.ts';
import { broken, type FieldErrors } from '../../db/schema/validation/rule.ts';
import type { Write } from '../../db/schema/write.ts';
import { deleteFollows, insertFollows, saveTaken } from '../../db/sql/chains.ts';
import type { StoredMenu } from '../../db/sql/menus.ts';
import { copyFiles } from '../../db/sql/photos.ts';
import { loadMaster } from './masters.ts';

/** Own values and refused records that a result lists. */
const MAX_LISTED_SHADOWED = 300;

const NOTHING: Publication = {
  ...{ results: [], unchanged: 0, shadowed: [], refused: [], begun: [], ended: [] },
};

/** The photos of the master that the branch has not had. */
function newPhotos(menu: StoredMenu, master: StoredMenu): string[] {
  const known = new Set(menu.photos.map(({ external_id: digest }) => digest));
  return master.photos.flatMap(({ external_id: digest }) =>
    digest !== null && !known.has(digest) ? [digest] : [],
  );
}

/** A result whose lists are bounded, because gateways read it whole. */
function bounded(
  { results, unchanged, shadowed, refused }: Publication,
  errors: FieldErrors,
  said: Pick<PublishedOutcome, 'applied' | 'dry_run'>,
): PublishedOutcome {
  const max = MAX_LISTED_SHADOWED;
  const isWhole = Object.keys(errors).length > 0;
  const all = isWhole ? [{ resource: null, id: null, name: null, errors }, ...refused] : refused;
  const left_out = Math.max(shadowed.length - max, 0) + Math.max(all.length - max, 0);
  const { restored: _none, ...counts } = countOutcomes(results, unchanged);
  const lists = { shadowed: shadowed.slice(0, max), refused: all.slice(0, max) };
  return { kind: 'published', ...said, counts, ...lists, left_out };
}

/**
 * Gives a branch the menu of its master, in the transaction of the branch's queue. Records that the
 * branch cannot take are left as they are; the others are done.
 */
export async function applyPublication(
  db: Db,
  { tenant_id: tenantId, input }: Write,
  { following, ...menu }: StoredMenu,
  maxPlanTime: number,
): Promise<Applied> {
  // It has left the chain meanwhile.
  if (!following || following.masterId !== input.master_id) return missing(null);
  const { masterId, follows, prices } = following;
  const master = await loadMaster(db, masterId);
  const chain = { master, follows: [...follows.values()], prices };
  const isDryRun = input.dry_run === true;
  let planned = NOTHING;
  const steps = function* (draft: Draft) {
    planned = yield* planPublication(draft, chain);
    return { results: planned.results };
  };
  const way = { isDryRun, skipsFailed: true, maxPlanTime };
  const changed = await applyChange(db, tenantId, menu, steps, way).catch((error) => {
    if (!(error instanceof TooSlowError)) throw error;
    const errors: FieldErrors = { menu: [broken('documentSlow')] };
    return { isApplied: false, menu: null, errors, ids: new Map<number, number>() };
  });
  if (changed.isApplied) {
    const { ids } = changed;
    const begun = planned.begun.map((one) => ({ ...one, id: ids.get(one.id) ?? one.id }));
    await copyFiles(db, masterId, tenantId, newPhotos(menu, master));
    await deleteFollows(db, tenantId, planned.ended);
    await insertFollows(db, tenantId, begun, menu.version + 1);
    await saveTaken(db, tenantId, master.version);
  }
  const said = { applied: changed.isApplied, dry_run: isDryRun };
  const outcome = bounded(planned, changed.errors, said);
  return { outcome, recordId: null, menu: changed.menu };
}
