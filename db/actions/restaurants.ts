import { publishVersion } from '../menu/new-version.ts';
import type { Database } from '../postgres/connection.ts';
import type { Db } from '../postgres/sql.ts';
import type { Quotas } from '../schema/platform.ts';
import { InvalidError } from '../schema/validation/invalid-error.ts';
import { broken } from '../schema/validation/rule.ts';
import type { Locale } from '../schema/values/locale.ts';
import { type Change, UPKEEP } from '../schema/version.ts';
import { findSlugKeeper, keepFormerSlug, lockSlugs } from '../sql/hosts.ts';
import { setQuotas } from '../sql/restaurants.ts';
import {
  copyTenant,
  createTenant,
  deleteTenant,
  findTenantId,
  findTenantName,
  lockTenant,
  renameTenant,
} from '../sql/tenants.ts';
import { type ActionContext, type Joinable, MissingError } from './action.ts';

// Actions of operators on restaurants, for the command line and for the platform's API.

function slugTaken(message: string): InvalidError {
  return new InvalidError({ slug: [broken('unique')] }, message);
}

/** @throws MissingError */
export async function requireTenant(db: Db, slug: string): Promise<number> {
  const id = await findTenantId(db, slug);
  if (id === null) throw new MissingError(`There is no tenant ${slug}.`);
  return id;
}

/** The place of an operator's action on a restaurant. @throws MissingError */
export async function operatorContext(
  { database, domain }: { database: Joinable; domain: string },
  slug: string,
): Promise<ActionContext & { database: Joinable }> {
  const actor = { kind: 'operator', name: null } as const;
  const tenantId = await requireTenant(database, slug);
  return { database, tenantId, slug, domain, actor, now: Date.now() };
}

/**
 * Lets this transaction alone give slugs to restaurants.
 *
 * @param slugs the one that is to be given first
 * @param tenantId of the restaurant that gets it; null: a new one
 * @throws InvalidError when the slug leads to the restaurant that had it before
 */
async function claimSlug(
  db: Db,
  [slug, ...others]: readonly [string, ...string[]],
  tenantId: number | null,
): Promise<void> {
  await lockSlugs(db, [slug, ...others]);
  const keeper = await findSlugKeeper(db, slug, tenantId);
  if (keeper === null) return;
  throw slugTaken(
    `The slug ${slug} leads to ${keeper}, which had it before: host remove ${slug} --tenant ` +
      `${keeper} frees it.`,
  );
}

interface NewRestaurant extends Quotas {
  slug: string;
  name: string;
  locale: Locale;
}

/**
 * Adds a restaurant, which is served at once; returns its id.
 *
 * @param make makes its rows and returns the id; null when the slug is taken
 * @throws InvalidError
 */
function addRestaurant(
  database: Pick<Database, 'transaction'>,
  slug: string,
  make: (db: Db) => Promise<number | null>,
  isCopy: boolean,
): Promise<number> {
  return database.transaction(async (db) => {
    await claimSlug(db, [slug], null);
    const id = await make(db);
    if (id === null) throw slugTaken(`The slug ${slug} is taken.`);
    // A copy has the version of its origin already.
    await publishVersion(db, id, [UPKEEP], !isCopy);
    return id;
  });
}

/**
 * Creates a restaurant with an empty menu, which is served at once; returns its id.
 *
 * @throws InvalidError
 */
export function createRestaurant(
  database: Pick<Database, 'transaction'>,
  { slug, name, locale, ...quotas }: NewRestaurant,
): Promise<number> {
  const tenant = { slug, name, defaultLocale: locale, supportedLocales: [locale] };
  const make = async (db: Db) => {
    const id = await createTenant(db, { ...tenant, timezone: 'Europe/Rome' });
    if (id !== null) await setQuotas(db, id, quotas);
    return id;
  };
  return addRestaurant(database, slug, make, false);
}

/**
 * Serves a restaurant at another host, to which the former one leads for a year; sign-ins on that one
 * end. Returns its id.
 *
 * @throws MissingError, InvalidError
 */
export function renameRestaurant(
  database: Pick<Database, 'transaction'>,
  slug: string,
  newSlug: string,
): Promise<number> {
  return database.transaction(async (db) => {
    const id = await requireTenant(db, slug);
    await claimSlug(db, [newSlug, slug], id);
    if (!(await renameTenant(db, id, newSlug))) {
      throw slugTaken(`The slug ${newSlug} is taken.`);
    }
    await keepFormerSlug(db, id, slug);
    const name = await findTenantName(db, id);
    const renamed = { resource: 'settings', id, external_id: null, name } as const;
    const change: Change = { ...renamed, action: 'changed', fields: { slug: [slug, newSlug] } };
    await publishVersion(db, id, [{ ...UPKEEP, changes: [change] }]);
    return id;
  });
}

/**
 * Creates a restaurant with the menu, settings, theme and photos that another one has now, which is
 * served at once; returns its id. People, tokens, screens, webhooks, hosts, releases, reports and
 * history stay with the other one.
 *
 * @throws MissingError, InvalidError
 */
export function cloneRestaurant(
  database: Pick<Database, 'transaction'>,
  slug: string,
  newSlug: string,
): Promise<number> {
  const copy = async (db: Db) => {
    const originId = await requireTenant(db, slug);
    // No write changes the menu while its tables are copied one after the other.
    await lockTenant(db, originId, 'wait');
    const copied = await copyTenant(db, originId, [newSlug], (head) => head);
    return copied === 0 ? null : requireTenant(db, newSlug);
  };
  return addRestaurant(database, newSlug, copy, true);
}

/** Deletes a restaurant with everything it has, for good. */
export function deleteRestaurant(database: Pick<Database, 'transaction'>, tenantId: number) {
  return database.transaction((db) => deleteTenant(db, tenantId));
}
