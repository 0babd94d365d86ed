import * as v from 'valibot';
import { matchRecords } from '../chain/match.ts';
import type { Database } from '../postgres/connection.ts';
import type { Db } from '../postgres/sql.ts';
import { MATCHES, publishInput } from '../schema/chain.ts';
import { type Policy, policyInput, ruleErrors, wholeRules } from '../schema/chain-policy.ts';
import { slugInput } from '../schema/host.ts';
import type { Release } from '../schema/release.ts';
import { described } from '../schema/validation/described-as.ts';
import { flagInput, oneOfInput } from '../schema/validation/input-fields.ts';
import { InvalidError, refuse } from '../schema/validation/invalid-error.ts';
import { broken } from '../schema/validation/rule.ts';
import {
  countBranches,
  deleteBranch,
  findMaster,
  findRules,
  insertBranch,
  insertFollows,
  listBranches,
  listFollows,
  listPriceLists,
  lockChains,
  savePriceLists,
  saveRules,
} from '../sql/chains.ts';
import { loadMenu } from '../sql/menus.ts';
import { lockTenant } from '../sql/tenants.ts';
import { MissingError, type RestaurantAction } from './action.ts';
import { addRelease } from './releases.ts';
import { requireTenant } from './restaurants.ts';

// Actions of operators on chains, for the command line and for the platform's API.

const MAX_BRANCHES = 500;

/** No version of a branch makes fields its own that differ when it joins its chain. */
const JOINING = 0;

/** The body of a request that lets a restaurant follow a master. */
export const masterInput = v.object({
  master: described(slugInput, 'The slug of the master.'),
  match: described(
    v.optional(oneOfInput(MATCHES), 'external_id'),
    'By what the records of the two find each other.',
  ),
  dry_run: v.optional(flagInput(), false),
});
type MasterInput = v.InferOutput<typeof masterInput>;

function refusePlace(message: string): never {
  throw new InvalidError({ master: [broken('invalid')] }, message);
}

/** @throws InvalidError when the two cannot be master and branch */
async function checkPlace(db: Db, id: number, masterId: number, input: MasterInput, slug: string) {
  const { master } = input;
  if (id === masterId) refusePlace(`${slug} cannot follow itself.`);
  const above = await findMaster(db, masterId);
  if (above) refusePlace(`${master} is a branch of ${above.slug} itself: follow ${above.slug}.`);
  if ((await countBranches(db, id)) > 0) refusePlace(`${slug} has branches itself.`);
  const former = await findMaster(db, id);
  if (former && former.id !== masterId) {
    refusePlace(`${slug} is a branch of ${former.slug}: chain leave ${slug} comes first.`);
  }
  if (!former && (await countBranches(db, masterId)) >= MAX_BRANCHES) {
    refusePlace(`A chain has at most ${MAX_BRANCHES} branches.`);
  }
}

/**
 * Lets a restaurant follow a master: its records that match one of the master's follow that, and fields
 * that differ stay its own. The next publication brings the rest. Nothing of its menu changes.
 *
 * @throws MissingError, InvalidError
 */
export function followMaster(
  database: Pick<Database, 'transaction'>,
  slug: string,
  input: MasterInput,
) {
  const { master, match, dry_run } = input;
  return database.transaction(async (db) => {
    const id = await requireTenant(db, slug);
    const masterId = await requireTenant(db, master);
    await lockChains(db);
    // No turn of the branch makes fields its own meanwhile.
    const tenant = await lockTenant(db, id, 'wait');
    if (!tenant) throw new MissingError(`There is no tenant ${slug}.`);
    await checkPlace(db, id, masterId, input, slug);
    const menus = { master: await loadMenu(db, masterId), branch: await loadMenu(db, id) };
    const { follows, report } = matchRecords(menus, match, await listFollows(db, id));
    if (!dry_run) {
      await insertBranch(db, id, masterId);
      await insertFollows(db, id, follows, JOINING);
    }
    return { slug, master, match, dry_run, ...report };
  });
}

/**
 * Lets a branch follow no more; it keeps its menu.
 *
 * @throws MissingError when it is no branch
 */
export function leaveMaster(database: Pick<Database, 'transaction'>, slug: string): Promise<void> {
  return database.transaction(async (db) => {
    const id = await requireTenant(db, slug);
    await lockTenant(db, id, 'wait');
    if (!(await deleteBranch(db, id))) throw new MissingError(`${slug} is no branch of a chain.`);
  });
}

/**
 * Plans a publication to branches: a release of the master brings it at its time.
 *
 * @param name of the release, in the master's own language
 */
export function schedulePublication(name: string): RestaurantAction<typeof publishInput, Release> {
  return {
    input: publishInput,
    work: async (db, context, { branches, starts_at }) => {
      const release = {
        ...{ name, operations: [], starts_at, ends_at: null },
        ...{ is_preview_open: false, confirmed_by: null },
      };
      return addRelease(db, context, release, { branches, by: context.actor.name });
    },
  };
}

/** The policy of a chain, as its master or one of its branches sees it: of that, its own prices. */
export async function policyOf(db: Db, tenantId: number): Promise<Policy> {
  const master = await findMaster(db, tenantId);
  const masterId = master?.id ?? tenantId;
  const lists = await listPriceLists(db, masterId);
  const shown = lists.filter(({ id }) => !master || id === tenantId);
  return {
    fields: wholeRules(await findRules(db, masterId)),
    price_lists: shown.map(({ id: _id, ...list }) => list),
  };
}

/** Sets what branches may do with fields, and at which prices they sell. */
export const setPolicy: RestaurantAction<typeof policyInput, Policy> = {
  input: policyInput,
  work: async (db, { tenantId }, { fields, price_lists: lists }) => {
    const slugs = new Set((await listBranches(db, tenantId)).map(({ slug }) => slug));
    const errors = ruleErrors(fields ?? {});
    const listed = new Set<string>();
    for (const [at, { branch }] of (lists ?? []).entries()) {
      const rule = !slugs.has(branch) ? 'invalid' : listed.has(branch) ? 'unique' : null;
      if (rule) errors[`price_lists.${at}.branch`] = [broken(rule)];
      listed.add(branch);
    }
    refuse(errors);
    if (fields) await saveRules(db, tenantId, fields);
    if (lists) await savePriceLists(db, tenantId, lists);
    return policyOf(db, tenantId);
  },
};
