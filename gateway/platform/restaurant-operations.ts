import * as v from 'valibot';
import { inOneTransaction, type Joinable } from '../../db/actions/action.ts';
import {
  createRestaurant,
  deleteRestaurant,
  renameRestaurant,
  requireTenant,
} from '../../db/actions/restaurants.ts';
import { makeStaffedRestaurants } from '../../db/actions/staffed-restaurants.ts';
import { constants } from '../../db/runtime/constants.ts';
import { slugInput } from '../../db/schema/host.ts';
import { newRestaurant, quotaFields, staffedRestaurant } from '../../db/schema/platform.ts';
import { described } from '../../db/schema/validation/described-as.ts';
import { flagInput, requiredTextInput } from '../../db/schema/validation/input-fields.ts';
import { sayErrors } from '../../db/schema/validation/messages.ts';
import { broken, rule } from '../../db/schema/validation/rule.ts';
import { listRestaurants, setQuotas, suspendTenant } from '../../db/sql/restaurants.ts';
import { countBelongings } from '../../db/sql/tenants.ts';
import { InvalidError } from '../http/errors.ts';
import { checkQuery } from '../http/query.ts';
import { clampedParameter, integerParameter, wordParameter } from '../routes/frame/parameters.ts';
import { created, ok, type PlatformOperation, showRestaurant, taking } from './operation.ts';

/** Restaurants that one request of the platform's API makes. */
const MAX_RESTAURANTS_PER_CALL = 1_000;

/** The page after the one that was asked for: where it begins, or null. */
export const cursorOf = (page: readonly { id: number }[], limit: number) => ({
  next_after: page.length === limit ? (page.at(-1)?.id ?? null) : null,
});

/** The parameters of a list by cursor. */
export const cursorEntries = {
  after: integerParameter('Only those whose id is larger: `meta.next_after` of the page before.'),
  limit: clampedParameter(constants.defaultPerPage, constants.maxPerPage, 'Entries of a page.'),
};

const listQuery = v.object({
  ...cursorEntries,
  q: v.optional(
    v.pipe(
      v.string(),
      v.trim(),
      v.maxLength(constants.maxSearchLength, rule('maxLength', { max: constants.maxSearchLength })),
      v.description('Part of a slug, of a name or of a host; letters of either case are alike.'),
    ),
  ),
  state: v.optional(
    wordParameter(
      ['active', 'suspended'],
      'Only those that are served, or only those that are suspended.',
    ),
  ),
});
const deleteQuery = v.object({
  confirm: v.optional(described(v.string(), 'The slug, once more.')),
});

const reasonField = v.optional(
  described(
    v.nullable(requiredTextInput(constants.maxSuspensionReasonLength)),
    'One sentence for owners and guests of a suspended restaurant.',
  ),
);

async function change(
  db: Joinable,
  slug: string,
  {
    slug: next = slug,
    suspended,
    suspension_reason: reason,
    ...quotas
  }: v.InferOutput<typeof changedRestaurant>,
) {
  const { id, ...before } = await showRestaurant(db, slug);
  if (suspended !== undefined || reason !== undefined) {
    const isSuspended = suspended ?? before.suspended;
    const given = reason === undefined ? before.suspension_reason : reason;
    if (reason && !isSuspended) throw new InvalidError({ suspension_reason: [broken('invalid')] });
    await suspendTenant(db, id, isSuspended, given);
  }
  if (next !== slug) await renameRestaurant(db, slug, next);
  await setQuotas(db, id, quotas);
  return ok(await showRestaurant(db, next));
}

const changedRestaurant = v.object({
  slug: v.optional(slugInput),
  suspended: v.optional(flagInput()),
  suspension_reason: reasonField,
  ...quotaFields,
});

const bulkInput = v.object({
  restaurants: v.pipe(
    v.array(staffedRestaurant, 'array'),
    v.minLength(1, 'required'),
    v.maxLength(MAX_RESTAURANTS_PER_CALL, rule('maxItems', { max: MAX_RESTAURANTS_PER_CALL })),
    v.metadata({ listed: staffedRestaurant.pipe[0].entries }),
  ),
});

export const restaurantOperations: PlatformOperation[] = [
  {
    ...{ method: 'GET', path: '/restaurants', id: 'listRestaurants', scope: 'restaurants:read' },
    summary: 'List the restaurants',
    query: listQuery,
    run: async ({ db, query }) => {
      const { after = 0, limit, q, state } = checkQuery(listQuery, query);
      const suspended = state === undefined ? null : state === 'suspended';
      const page = await listRestaurants(db, { after, limit, text: q || null, suspended });
      return ok(page, cursorOf(page, limit));
    },
  },
  taking({
    ...{ method: 'POST', path: '/restaurants', id: 'createRestaurant' },
    scope: 'restaurants:write',
    summary: 'Create a restaurant with an empty menu',
    body: newRestaurant,
    run: async ({ db, input }) => {
      await createRestaurant(db, input);
      return created(await showRestaurant(db, input.slug));
    },
  }),
  taking({
    ...{ method: 'POST', path: '/bulk', id: 'createRestaurants', scope: 'restaurants:write' },
    summary: 'Create many restaurants, each with its first user and a token',
    body: bulkInput,
    isMany: true,
    run: async ({ input: { restaurants }, db: database, originOf, domain, once }) => {
      const made = await makeStaffedRestaurants({ database, originOf, domain }, restaurants, once);
      const failed = made.filter(({ outcome }) => outcome === 'failed').length;
      const data = made.map((one) =>
        one.outcome === 'failed'
          ? { ...one, errors: sayErrors(one.errors), codes: one.errors }
          : one,
      );
      return ok(data, { created: made.length - failed, failed });
    },
  }),
  {
    ...{ method: 'GET', path: '/restaurants/:slug', id: 'showRestaurant' },
    scope: 'restaurants:read',
    summary: 'Show a restaurant',
    run: async ({ db, params: [slug = ''] }) => ok(await showRestaurant(db, slug)),
  },
  taking({
    ...{ method: 'PATCH', path: '/restaurants/:slug', id: 'changeRestaurant' },
    scope: 'restaurants:write',
    summary:
      'Suspend a restaurant, serve it again, serve it at another host, or set what it may have',
    body: changedRestaurant,
    run: ({ db, params: [slug = ''], input }) =>
      inOneTransaction(db, (joined) => change(joined, slug, input)),
  }),
  {
    ...{ method: 'DELETE', path: '/restaurants/:slug', id: 'deleteRestaurant' },
    scope: 'restaurants:delete',
    summary: 'Delete a restaurant with everything it has, for good',
    query: deleteQuery,
    run: async ({ db, params: [slug = ''], query }) => {
      const id = await requireTenant(db, slug);
      const { confirm } = checkQuery(deleteQuery, query);
      if (confirm !== slug) {
        const wrong = broken(confirm === undefined ? 'required' : 'invalid');
        throw new InvalidError({ confirm: [wrong] });
      }
      const belongings = await countBelongings(db, id);
      await deleteRestaurant(db, id);
      return ok({ id, slug, deleted: true, ...belongings });
    },
  },
];
