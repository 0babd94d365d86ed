import { randomBytes } from 'node:crypto';
import { hashPassword } from '../../actions/password.ts';
import type { Database } from '../../postgres/connection.ts';
import type { Db } from '../../postgres/sql.ts';
import { dayOf, shiftDay } from '../../runtime/day.ts';
import type { AcceptedEvent } from '../../schema/event.ts';
import type { Locale } from '../../schema/values/locale.ts';
import { addCounts, addEmptySearches } from '../../sql/counts.ts';
import { findPrices } from '../../sql/dishes.ts';
import { createPartitions, findKnownRecords } from '../../sql/events.ts';
import { countEmptySearches, rollUp } from '../../sql/roll-up.ts';
import { createUser } from '../../sql/users.ts';
import { type Random, seededRandom } from './generator.ts';
import { type DemoRestaurant, pizzeria, plantRestaurant, trattoria } from './restaurant.ts';

/** Days before today in which guests came. */
const DAYS = 30;

/** Guests of a day, from Monday to Sunday. */
const GUESTS = [14, 18, 20, 24, 44, 58, 40] as const;

/** The hours in which guests look at a menu, as often as they do. */
const HOURS = [11, 12, 12, 12, 13, 13, 13, 14, 18, 19, 19, 19, 20, 20, 20, 20, 21, 21, 21, 22];

/** Three of five guests read the first language. */
const FIRST_LANGUAGE = 3;

const SEARCHES = ['carbonara', 'senza glutine', 'tiramisù', 'vegano', 'sushi', 'pizza'] as const;
/** Texts that no demo menu has. */
const MISSED = new Set<string>(['sushi', 'vegano', 'senza glutine']);
const ALLERGENS = [
  'latte',
  'latte',
  'cereali_glutine',
  'cereali_glutine',
  'frutta_guscio',
  'pesce',
];

type GuestOfDay = Pick<AcceptedEvent, 'tenant_id' | 'day' | 'hour' | 'visitor' | 'locale'>;
type Seen = Pick<AcceptedEvent, 'type'> & Partial<AcceptedEvent>;

function eventOf(visit: GuestOfDay, seen: Seen): AcceptedEvent {
  const none = { item_id: null, category_id: null, allergen: null, query: null, results: null };
  const occurred_at = Date.parse(`${visit.day}T${String(visit.hour).padStart(2, '0')}:30:00Z`);
  return { ...none, id: null, occurred_at, ...visit, ...seen };
}

/** The events of a guest: the menu, some dishes, now and then a search or a filter. */
function eventsOf(random: Random, visit: GuestOfDay, dishes: readonly number[]): AcceptedEvent[] {
  const opened = Array.from({ length: random.between(0, 5) }, () => {
    // The first dishes of a menu are opened more often than the last.
    const at = Math.min(random.between(0, dishes.length - 1), random.between(0, dishes.length - 1));
    return { type: 'item_view', item_id: dishes[at] ?? null };
  });
  const query = random.pick(SEARCHES);
  const results = MISSED.has(query) ? 0 : random.between(1, 3);
  return [
    { type: 'menu_view' },
    ...opened,
    ...(random.between(1, 8) === 1 ? [{ type: 'search', query, results }] : []),
    ...(random.between(1, 9) === 1
      ? [{ type: 'allergen_filter', allergen: random.pick(ALLERGENS) }]
      : []),
  ].map((seen) => eventOf(visit, seen));
}

/** The days that visits may fall on in any time zone, `YYYY-MM-DD`; each needs its partition. */
export function daysOfVisits(now: number): string[] {
  const last = shiftDay(dayOf(now), 1);
  return Array.from({ length: DAYS + 2 }, (_, back) => shiftDay(last, -back));
}

function localeOf(random: Random, locales: readonly Locale[]): Locale {
  const first = locales[0] ?? 'it';
  return random.between(1, 5) <= FIRST_LANGUAGE ? first : random.pick(locales);
}

/**
 * A month of visits up to yesterday, the same for the same restaurant and day: the statistics of a
 * demo have something to show. It belongs in the transaction that plants the restaurant; the
 * partitions of `daysOfVisits` must be there.
 *
 * @param now in ms since 1970
 */
export async function plantVisits(
  db: Db,
  tenantId: number,
  { slug, settings }: Pick<DemoRestaurant, 'slug' | 'settings'>,
  now: number,
): Promise<void> {
  const random = seededRandom([...slug].reduce((sum, sign) => sum + sign.charCodeAt(0), 0));
  const dishes = (await findPrices(db, tenantId, { limit: 1_000 })).map(({ id }) => id);
  const locales = [settings.default_locale, ...settings.supported_locales];
  const { timezone } = settings;
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone }).format(now);
  const events: AcceptedEvent[] = [];
  for (let back = DAYS; back > 0; back -= 1) {
    const day = shiftDay(today, -back);
    const usual = GUESTS[(new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7] ?? 0;
    const guests = usual + random.between(-5, 8);
    for (let guest = 1; guest <= guests; guest += 1) {
      const locale = localeOf(random, locales);
      const hour = random.pick(HOURS);
      const visit = { tenant_id: tenantId, day, hour, visitor: String(guest), locale };
      events.push(...eventsOf(random, visit, dishes));
    }
  }
  const { counts, visits } = rollUp(events, await findKnownRecords(db, events));
  await addCounts(db, counts, visits);
  await addEmptySearches(db, countEmptySearches(events));
}

/** A panel user of a demo restaurant; the password is random and stored nowhere. */
type DemoLogin = { slug: string; email: string; password: string };

/**
 * Plants those of the demo restaurants whose slug is free, each with its menu, its snapshots and a
 * panel user, and returns the users.
 *
 * @param more restaurants besides `trattoria` and `pizzeria`
 * @param now in ms since 1970; the visits of the month before it are planted, too
 */
export async function plantDemo(
  database: Database,
  more: readonly DemoRestaurant[] = [],
  now = Date.now(),
): Promise<DemoLogin[]> {
  const logins: DemoLogin[] = [];
  await createPartitions(database, daysOfVisits(now));
  for (const restaurant of [trattoria, pizzeria, ...more]) {
    const { slug } = restaurant;
    const password = randomBytes(12).toString('base64url');
    const login = { slug, email: `admin@${slug}.example`, password };
    const passwordHash = await hashPassword(password);
    const planted = await database.transaction(async (db) => {
      const tenantId = await plantRestaurant(db, restaurant);
      if (tenantId === null) return false;
      await createUser(db, { tenantId, email: login.email, passwordHash });
      await plantVisits(db, tenantId, restaurant, now);
      return true;
    });
    if (planted) logins.push(login);
  }
  return logins;
}
