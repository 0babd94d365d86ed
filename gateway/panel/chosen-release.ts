import type { Db } from '../../db/postgres/sql.ts';
import { isWaiting, type Release } from '../../db/schema/release.ts';
import { parseRecordId } from '../../db/schema/values/record-id.ts';
import { findRelease } from '../../db/sql/releases.ts';
import { type Content, html } from '../http/html.ts';
import type { PanelRequest } from './panel-request.ts';

// The release into which the forms of a browser save, instead of changing the menu at once.

const COOKIE = 'lavagna-release';

export const RELEASES_PATH = '/admin/releases';

/**
 * Pages that show the menu of the release, and whose forms save into it. Others, such as the kitchen's,
 * always act at once.
 */
const PREPARED = /^\/admin($|\/(menu|restaurant|appearance)(\/|$))/;

export interface ChosenRelease {
  release: Release;
  /** Whether a change of this request went into it. */
  took: boolean;
  /** The external id of a record that the release makes and this request changes, or null. */
  edited: string | null;
}

/** Makes a browser save into a release; null for at once. */
export function chooseCookie({ secure }: PanelRequest, id: number | null): string {
  const age = id === null ? '; Max-Age=0' : '';
  const value = id === null ? '' : String(id);
  return `${COOKIE}=${value}; Path=/admin; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}${age}`;
}

/** The waiting release into which the forms of a page save; null for at once. */
export async function findChosen(db: Db, request: PanelRequest): Promise<ChosenRelease | null> {
  const { context, tenantId } = request;
  if (!PREPARED.test(context.path)) return null;
  const [, value = ''] =
    /(?:^|;\s*)lavagna-release=(\d+)/.exec(context.headers.get('cookie') ?? '') ?? [];
  const id = parseRecordId(value);
  const release = id === null ? null : await findRelease(db, tenantId, id);
  return release && isWaiting(release) ? { release, took: false, edited: null } : null;
}

export function releasePath({ id }: Pick<Release, 'id'>): string {
  return `${RELEASES_PATH}/${id}`;
}

/** The page of the menu on which a browser works: the guests' one, or the release as it will be. */
export function menuAddress(chosen: ChosenRelease | null): string {
  return chosen ? `${releasePath(chosen.release)}/preview` : '/';
}

/** Says on each page that its forms save into a release. */
export function chosenBanner({ say }: PanelRequest, chosen: ChosenRelease | null, token: Content) {
  if (!chosen) return null;
  const { release } = chosen;
  return html`<section class="card preparing" role="status"><p>${say('releases.preparing', { name: release.name })}</p>
<form class="row" method="post" action="${releasePath(release)}">${token}
<a class="button main" href="${releasePath(release)}">${say('releases.open')}</a><button class="button" name="do" value="stop">${say('releases.stop')}</button></form></section>`;
}
