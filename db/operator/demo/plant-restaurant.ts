import { differenceInSteps } from '../../history/difference.ts';
import { applyChange } from '../../menu/change.ts';
import { importOperations } from '../../menu/import-operations.ts';
import { planOperations } from '../../menu/plan.ts';
import type { Db } from '../../postgres/sql.ts';
import { inOneGo } from '../../runtime/in-slices.ts';
import { MENU_COLLECTIONS } from '../../schema/registry.ts';
import { sayErrors } from '../../schema/validation/messages.ts';
import { rebuildMenu } from '../../snapshot/rebuild.ts';
import { readClock } from '../../sql/clock.ts';
import { saveBeginning } from '../../sql/history.ts';
import { loadMenu, type StoredMenu } from '../../sql/menus.ts';
import { saveSnapshotsStatement } from '../../sql/snapshots.ts';
import { createTenant } from '../../sql/tenants.ts';
import type { DemoRestaurant } from './restaurant.ts';

/** Imports a document into an empty menu, and returns the menu. */
async function importDocument(
  db: Db,
  tenantId: number,
  empty: StoredMenu,
  { slug, ...document }: DemoRestaurant,
): Promise<StoredMenu> {
  const lists = Object.fromEntries(
    MENU_COLLECTIONS.map((name) => [name, (document as Record<string, unknown>)[name] ?? []]),
  );
  const { settings, theme } = document;
  const operations = inOneGo(importOperations({ settings, theme, lists, ignored: [] }));
  const rules = { namesOnce: true, earliest: null };
  const { results, errors, menu } = await applyChange(db, tenantId, empty, (draft) =>
    planOperations(draft, operations, rules),
  );
  if (menu) return menu;
  const wrong = [...results, { path: '', errors }].filter((one) => Object.keys(one.errors).length);
  const said = wrong.map((one) => [one.path, sayErrors(one.errors, one.path)]);
  throw new Error(`${slug} breaks rules: ${JSON.stringify(said)}`);
}

/**
 * Creates a tenant with its whole menu and its snapshots, and returns its id, or null when its slug
 * is taken. It belongs in a transaction.
 */
export async function plantRestaurant(db: Db, restaurant: DemoRestaurant): Promise<number | null> {
  const { slug, settings } = restaurant;
  const tenantId = await createTenant(db, {
    slug,
    name: settings.name,
    defaultLocale: settings.default_locale,
    supportedLocales: settings.supported_locales,
    timezone: settings.timezone,
  });
  if (tenantId === null) return null;
  const empty = await loadMenu(db, tenantId);
  const menu = await importDocument(db, tenantId, empty, restaurant);
  await saveBeginning(db, tenantId, inOneGo(differenceInSteps(empty, menu)));
  const { change } = await rebuildMenu(menu, await readClock(db));
  await db.run(saveSnapshotsStatement([change]));
  return tenantId;
}
