import { pino } from 'pino';
import { followMaster } from '../../db/actions/chains.ts';
import { createRestaurant } from '../../db/actions/restaurants.ts';
import { constants } from '../../db/runtime/constants.ts';
import { insertRelease } from '../../db/sql/releases.ts';
import { placeScreen, saveScreenCode } from '../../db/sql/screens.ts';
import { listTenants } from '../../db/sql/tenants.ts';
import { insertWebhook } from '../../db/sql/webhooks.ts';
import { createPanelRoutes, type PanelOptions } from '../../gateway/panel/entry/panel.ts';
import { createAdminClient, issueToken } from './admin.ts';
import type { MenuService } from './menu-service.ts';

const options = { log: pino({ level: 'silent' }), constants } as unknown as PanelOptions;

const PAGE_PATHS = createPanelRoutes(options)
  .filter(({ method, path }) => method === 'GET' && !/\.(css|js|svg)$/.test(path))
  .map(({ path }) => path.replace(/:\w+\??/, '1'));
const isOpen = (path: string) => /sign-in|link|forgotten/.test(path);

/** The path of every page for those who have signed in, from the panel's own table; ids are 1. */
export const DESK_PATHS = PAGE_PATHS.filter((path) => !isOpen(path));
/** Those of the pages for everybody; the secret of a link is 1. */
export const OPEN_PATHS = PAGE_PATHS.filter(isOpen);

/** Those that are pages: no pictures and tables. A record's page is seen before it is made, too. */
export const PANEL_PATHS = [
  ...DESK_PATHS.filter((path) => !/\.(png|csv)$|(export|bundle)$/.test(path)),
  ...['items', 'sections', 'types', 'wineries', 'modifier-groups'].map(
    (kind) => `/admin/menu/${kind}/new`,
  ),
  ...['?section=1', '?q=e', '?q=zzz', '?state=hidden', '/items/999999'].map(
    (more) => `/admin/menu${more}`,
  ),
];

/** Parts of a page, which the form of a record shows in a frame. */
export const isFramed = (path: string) => /preview$/.test(path) && !path.includes('releases');

/** Gives the first restaurant one of each record that has a page, so that no page of `1` is missing. */
export async function plantPages({ db, tenantId, client }: MenuService): Promise<void> {
  await createRestaurant(db, { slug: '1', name: 'Una casa', locale: 'it' });
  const master = (await listTenants(db)).find(({ id }) => id === tenantId)?.slug ?? '';
  await followMaster(db, '1', { master, match: 'external_id', dry_run: false });
  const release = { name: 'Natale', operations: [], starts_at: null, ends_at: null };
  const closed = { ...release, is_preview_open: false, confirmed_by: null };
  await db.transaction((tx) => insertRelease(tx, tenantId, closed));
  await saveScreenCode(db, tenantId, { hash: Buffer.alloc(32), client: '1' }, 'BCDFGH');
  await placeScreen(db, tenantId, 'BCDFGH', 'Sala');
  const admin = createAdminClient(client, await issueToken(db, tenantId));
  const group = { name: { it: 'Cottura' }, options: [{ label: 'Al sangue' }] };
  (await admin.call('POST', '/modifier-groups', group)).expect(201);
  const receiver = { url: 'https://till.example.com/', events: ['menu.version'], secret: 'whsec_' };
  await insertWebhook(db, { tenantId, ...receiver, isActive: false });
}
