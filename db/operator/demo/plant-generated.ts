import type { Database } from '../../postgres/connection.ts';
import type { Db } from '../../postgres/sql.ts';
import { copyTenant, findTenantId } from '../../sql/tenants.ts';
import { GENERATED_MENUS, generateRestaurant, generateSlug } from './generator.ts';
import { plantRestaurant } from './plant-restaurant.ts';

/** Menus planted at a time. */
const concurrency = 4;

/** The head of a copy's snapshots: that of its origin, but for what names the restaurant. */
function headFor(head: string, { tenantId, slug }: { tenantId: number; slug: string }): string {
  const { settings, ...rest } = JSON.parse(head) as { settings: Record<string, string> };
  const own = Object.entries(settings).map(([locale, text]) => {
    return [locale, JSON.stringify({ ...JSON.parse(text), id: tenantId, slug })];
  });
  return JSON.stringify({ ...rest, settings: Object.fromEntries(own) });
}

/** Plants a generated menu in the first restaurant that has it, and copies it to the others. */
async function plantMenu(db: Db, index: number, count: number, menus: number): Promise<number> {
  const origin = generateRestaurant(index);
  const planted = await plantRestaurant(db, origin);
  const originId = planted ?? (await findTenantId(db, origin.slug));
  if (originId === null) return 0;
  const slugs: string[] = [];
  for (let other = index + menus; other < count; other += menus) {
    slugs.push(generateSlug(other));
  }
  const copied = slugs.length > 0 ? await copyTenant(db, originId, slugs, headFor) : 0;
  return copied + (planted === null ? 0 : 1);
}

/**
 * Plants the first `count` generated restaurants, passing over those that are there already, and
 * returns how many are new.
 *
 * @param menus how many of them are built; the others are copies
 */
export async function plantGenerated(
  database: Database,
  count: number,
  progressOf: (what: string, done: number, total: number) => void,
  menus = GENERATED_MENUS,
): Promise<number> {
  let next = 0;
  let done = 0;
  let planted = 0;
  const plantNext = async () => {
    while (next < Math.min(count, menus)) {
      const index = next;
      next += 1;
      const added = await database.transaction((db) => plantMenu(db, index, count, menus));
      planted += added;
      done += Math.ceil((count - index) / menus);
      progressOf('planting', done, count);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, plantNext));
  return planted;
}
