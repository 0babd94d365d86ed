import { differenceInSteps } from '../../history/difference.ts';
import { checkWhole } from '../../menu/check-whole.ts';
import { createDraft } from '../../menu/draft.ts';
import { importOperations } from '../../menu/import-operations.ts';
import { planOperations } from '../../menu/plan.ts';
import { storeDraft } from '../../menu/store.ts';
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
  const draft = createDraft(empty);
  const operations = inOneGo(importOperations({ settings, theme, lists, ignored: [] }));
  const planning = planOperations(draft, operations, { namesOnce: true, earliest: null });
  const { results } = inOneGo(planning);
  const whole = { path: '', errors: await checkWhole(db, draft) };
  const wrong = [...results, whole].filter(({ errors }) => Object.keys(errors).length > 0);
  if (wrong.length > 0) {
    const said = wrong.map(({ path, errors }) => [path, sayErrors(errors, path)]);
    throw new Error(`${slug} breaks rules: ${JSON.stringify(said)}`);
  }
  return (await storeDraft(db, tenantId, draft)).menu;
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
