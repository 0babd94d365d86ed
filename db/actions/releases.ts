import type { Database } from '../postgres/connection.ts';
import type { Db } from '../postgres/sql.ts';
import { constants } from '../runtime/constants.ts';
import { entityTag } from '../runtime/entity-tag.ts';
import {
  changedRelease,
  momentErrors,
  type NewRelease,
  type Release,
  type ReleaseChange,
  releaseInput,
} from '../schema/release.ts';
import type { ScheduledPublication } from '../schema/scheduled-publication.ts';
import { InvalidError, refuse } from '../schema/validation/invalid-error.ts';
import { broken, type FieldErrors } from '../schema/validation/rule.ts';
import {
  deleteRelease,
  insertRelease,
  lockRelease,
  makePreviewSecret,
  storeRelease,
} from '../sql/releases.ts';
import { lockTenant } from '../sql/tenants.ts';
import type { ActionContext, RestaurantAction } from './action.ts';

/** The tag of a release as people and clients write it: its problems are another's to say. */
export function releaseTag(release: Release): string {
  const { name, operations, starts_at, ends_at, state, secret, confirmed_by } = release;
  const confirmed = confirmed_by === null ? [] : [confirmed_by];
  return entityTag(
    JSON.stringify([name, operations, starts_at, ends_at, state, secret, ...confirmed]),
  );
}

function lengthErrors({ operations }: Pick<Release, 'operations'>): FieldErrors {
  const max = constants.maxReleaseBytes;
  const isTooLong = Buffer.byteLength(JSON.stringify(operations)) > max;
  return isTooLong ? { operations: [broken('maxLength', { max })] } : {};
}

/** Adds a release, which may be a publication to branches, too. @throws InvalidError */
export async function addRelease(
  db: Db,
  { tenantId, now }: ActionContext,
  release: NewRelease,
  chain: ScheduledPublication | null = null,
): Promise<Release> {
  refuse({ ...momentErrors(release, null, now), ...lengthErrors(release) });
  const made = await insertRelease(db, tenantId, release, chain);
  if (made) return made;
  throw new InvalidError({ releases: [broken('maxItems', { max: constants.maxReleases })] });
}

export const createRelease: RestaurantAction<typeof releaseInput, Release> = {
  input: releaseInput,
  work: (db, context, release) => addRelease(db, context, release),
};

/** A release as it is now; it differs from the one that the client has seen. */
export class OutdatedRelease {
  readonly release: Release;

  constructor(release: Release) {
    this.release = release;
  }
}

/**
 * Changes a release; null when there is none.
 *
 * @param change made of the release as it is now
 * @param tags of states that the client has seen; null for no condition
 * @param now in ms since 1970
 * @throws InvalidError
 */
export function alterRelease(
  db: Database,
  tenantId: number,
  id: number,
  change: ReleaseChange | ((release: Release) => ReleaseChange),
  tags: readonly string[] | null,
  now: number,
): Promise<Release | OutdatedRelease | null> {
  return db.transaction(async (tx) => {
    // Workers lock a tenant before its releases, too.
    await lockTenant(tx, tenantId, 'wait');
    const release = await lockRelease(tx, tenantId, id);
    if (!release) return null;
    const isSeen = tags === null || tags.includes('*') || tags.includes(releaseTag(release));
    if (!isSeen) return new OutdatedRelease(release);
    const asked = typeof change === 'function' ? change(release) : change;
    const { after, errors } = changedRelease(release, asked, now);
    refuse({ ...errors, ...lengthErrors(after) });
    const { is_preview_open: isOpen } = asked;
    if (isOpen === false) after.secret = null;
    if (isOpen === true) after.secret = release.secret ?? makePreviewSecret();
    return storeRelease(tx, tenantId, after);
  });
}

/**
 * Deletes a release; its changes stay, so one that an end would take back is ended first.
 *
 * @returns whether there was one
 * @throws InvalidError
 */
export function removeRelease(db: Database, tenantId: number, id: number): Promise<boolean> {
  return db.transaction(async (tx) => {
    await lockTenant(tx, tenantId, 'wait');
    const release = await lockRelease(tx, tenantId, id);
    if (!release) return false;
    if (release.state === 'live' && release.ends_at !== null) {
      const values = ['draft', 'scheduled', 'ended', 'failed'];
      refuse({ state: [broken('inState', { state: release.state, values })] });
    }
    return deleteRelease(tx, tenantId, id);
  });
}

/** The write by which workers publish a release, take it back, or try it. */
export function releaseWrite(release_id: number, deed: { dry_run?: true; end?: true } = {}) {
  const input = { release_id, ...deed };
  return { resource: 'menu', action: 'release', record_id: null, input, document: null } as const;
}
