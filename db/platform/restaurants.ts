import type { Database } from '../postgres/connection.ts';
import type { Db } from '../postgres/sql.ts';
import { constants } from '../runtime/constants.ts';
import { OperatorError } from '../runtime/operator-error.ts';
import { mayDo } from '../schema/person.ts';
import type { Scope } from '../schema/token.ts';
import type { Locale } from '../schema/values/locale.ts';
import { rebuildSnapshots } from '../snapshot/rebuild.ts';
import { findSlugKeeper, keepFormerSlug, lockSlugs } from '../sql/hosts.ts';
import {
  copyTenant,
  createTenant,
  deleteTenant,
  findTenantId,
  lockTenant,
  renameTenant,
} from '../sql/tenants.ts';
import { createToken, TooManyTokensError } from '../sql/tokens.ts';
import { findUser } from '../sql/users.ts';

// Actions of operators on restaurants, for the command line and for the platform's API.

/** A restaurant, user or token that an operator names is not there. */
export class MissingError extends OperatorError {
  override name = 'MissingError';
}

/** Another restaurant has the slug. */
export class SlugTakenError extends OperatorError {
  override name = 'SlugTakenError';
}

/** @throws MissingError */
export async function requireTenant(db: Db, slug: string): Promise<number> {
  const id = await findTenantId(db, slug);
  if (id === null) throw new MissingError(`There is no tenant ${slug}.`);
  return id;
}

/**
 * Lets this transaction alone give slugs to restaurants.
 *
 * @param slugs the one that is to be given first
 * @param tenantId of the restaurant that gets it; null: a new one
 * @throws SlugTakenError when the slug leads to the restaurant that had it before
 */
async function claimSlug(
  db: Db,
  [slug, ...others]: readonly [string, ...string[]],
  tenantId: number | null,
): Promise<void> {
  await lockSlugs(db, [slug, ...others]);
  const keeper = await findSlugKeeper(db, slug, tenantId);
  if (keeper === null) return;
  throw new SlugTakenError(
    `The slug ${slug} leads to ${keeper}, which had it before: host remove ${slug} --tenant ` +
      `${keeper} frees it.`,
  );
}

interface NewRestaurant {
  slug: string;
  name: string;
  locale: Locale;
}

/**
 * Adds a restaurant, which is served at once; returns its id.
 *
 * @param make makes its rows and returns the id; null when the slug is taken
 * @throws SlugTakenError
 */
function addRestaurant(
  database: Pick<Database, 'transaction'>,
  slug: string,
  make: (db: Db) => Promise<number | null>,
): Promise<number> {
  return database.transaction(async (db) => {
    await claimSlug(db, [slug], null);
    const id = await make(db);
    if (id === null) throw new SlugTakenError(`The slug ${slug} is taken.`);
    await rebuildSnapshots(db, id);
    return id;
  });
}

/**
 * Creates a restaurant with an empty menu, which is served at once; returns its id.
 *
 * @throws SlugTakenError
 */
export function createRestaurant(
  database: Pick<Database, 'transaction'>,
  { slug, name, locale }: NewRestaurant,
): Promise<number> {
  const tenant = { slug, name, defaultLocale: locale, supportedLocales: [locale] };
  return addRestaurant(database, slug, (db) =>
    createTenant(db, { ...tenant, timezone: 'Europe/Rome' }),
  );
}

/**
 * Serves a restaurant at another host, to which the former one leads for a year; sign-ins on that one
 * end. Returns its id.
 *
 * @throws MissingError, SlugTakenError
 */
export function renameRestaurant(
  database: Pick<Database, 'transaction'>,
  slug: string,
  newSlug: string,
): Promise<number> {
  return database.transaction(async (db) => {
    const id = await requireTenant(db, slug);
    await claimSlug(db, [newSlug, slug], id);
    if ((await renameTenant(db, slug, newSlug)) === null) {
      throw new SlugTakenError(`The slug ${newSlug} is taken.`);
    }
    await keepFormerSlug(db, id, slug);
    await rebuildSnapshots(db, id);
    return id;
  });
}

/**
 * Creates a restaurant with the menu, settings, theme and photos that another one has now, which is
 * served at once; returns its id. People, tokens, screens, webhooks, hosts, releases, reports and
 * history stay with the other one.
 *
 * @throws MissingError, SlugTakenError
 */
export function cloneRestaurant(
  database: Pick<Database, 'transaction'>,
  slug: string,
  newSlug: string,
): Promise<number> {
  return addRestaurant(database, newSlug, async (db) => {
    const originId = await requireTenant(db, slug);
    // No write changes the menu while its tables are copied one after the other.
    await lockTenant(db, originId, 'wait');
    const copied = await copyTenant(db, originId, [newSlug], (head) => head);
    return copied === 0 ? null : requireTenant(db, newSlug);
  });
}

/** Deletes a restaurant with everything it has, for good. */
export function deleteRestaurant(
  database: Pick<Database, 'transaction'>,
  tenantId: number,
): Promise<void> {
  return database.transaction((db) => deleteTenant(db, tenantId));
}

interface NewRestaurantToken {
  /** The slug. */
  tenant: string;
  /** The address of its user. */
  user: string;
  name: string;
  scopes: readonly Scope[];
}

/** A token may not do what its user may not, or the restaurant has too many. */
export class TokenRefusedError extends OperatorError {
  override name = 'TokenRefusedError';
}

/**
 * Makes a token of a restaurant's user; its value is shown this once.
 *
 * @throws MissingError, TokenRefusedError
 */
export async function createRestaurantToken(
  database: Database,
  { tenant, user: email, name, scopes }: NewRestaurantToken,
): Promise<{ id: number; token: string }> {
  const tenantId = await requireTenant(database, tenant);
  const user = await findUser(database, tenantId, email);
  if (user === null) throw new MissingError(`The tenant ${tenant} has no user ${email}.`);
  const beyond = scopes.filter((scope) => !mayDo(user.role, scope));
  if (beyond.length > 0) {
    throw new TokenRefusedError(
      `${user.email} is ${user.role} and may not have a token with ${beyond.join(', ')}.`,
    );
  }
  const token = { tenantId, userId: user.id, name, scopes };
  return database
    .transaction((db) => createToken(db, token))
    .catch((error) => {
      if (!(error instanceof TooManyTokensError)) throw error;
      const full = `The tenant ${tenant} has ${constants.maxActiveTokens} active tokens already`;
      throw new TokenRefusedError(`${full}: revoke one that is not needed any more.`);
    });
}
