import { openingState } from '../../db/hours/opening.js';
import { localMoment } from '../../db/hours/served.js';
import type { Database } from '../../db/postgres/connection.ts';
import { certain } from '../../db/runtime/certain.ts';
import { constants } from '../../db/runtime/constants.ts';
import { groupBy } from '../../db/runtime/group-by.ts';
import { type AwayScreen, findAwayScreens, noteToldAway } from '../../db/sql/screens.ts';
import type { GoesOn } from '../housekeeping/rounds.ts';
import { type TellOptions, tellOwners, tellReceivers } from '../webhooks/tell.ts';

/** Screens that one statement reads. */
const AWAY_SCREENS_PER_BATCH = 1_000;

interface ScreenWatchOptions extends TellOptions {
  db: Database;
  /** Milliseconds since 1970. */
  now: () => number;
}

const { screenTellAfter, screenWatchInterval } = constants;
/** A watch that slept so long, in ms, has missed contacts. */
const LONGEST_PAUSE = 3 * screenWatchInterval;

/** Whether the house is open, and was it ten minutes ago; one that states no hours counts as open. */
function wasOpen({ timezone, ...hours }: AwayScreen, now: number): boolean {
  const isOpen = (at: number) => openingState(hours, localMoment(at, timezone)).isOpen !== false;
  return isOpen(now) && isOpen(now - screenTellAfter);
}

/** Tells the owners of one restaurant of screens that are away, once for each outage. */
async function tell(
  options: ScreenWatchOptions,
  tenantId: number,
  screens: readonly AwayScreen[],
  at: Date,
): Promise<void> {
  const ids = screens.map(({ id }) => id);
  const { slug: restaurant } = certain(screens[0], 'no screen is away');
  const told = await options.db.transaction(async (tx) => {
    const away = await noteToldAway(tx, tenantId, ids, at);
    for (const screen of away) {
      const data = { restaurant, screen };
      await tellReceivers(tx, tenantId, { event: 'screen.away', at, about: screen.id, data });
    }
    return away;
  });
  if (told.length === 0) return;
  const about = told.map(({ name }) => name).join(', ');
  await tellOwners(options, tenantId, { kind: 'screenAway', path: '/admin/screens', about });
}

/**
 * Makes the round that tells owners of screens that were away for ten minutes of their opening hours.
 * Contacts are missed while Lavagna itself is away. So the watch begins to count anew when it starts,
 * and after a round that failed or came late.
 */
export function createScreenWatch(options: ScreenWatchOptions) {
  let since = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  return async (goesOn: GoesOn): Promise<void> => {
    const now = options.now();
    if (Math.abs(now - last) > LONGEST_PAUSE) since = now;
    last = Number.NEGATIVE_INFINITY;
    if (now - since >= screenTellAfter) await tellAll(options, now, goesOn);
    last = now;
  };
}

async function tellAll(options: ScreenWatchOptions, now: number, goesOn: GoesOn): Promise<void> {
  const at = new Date(now);
  let after = { tenant_id: 0, id: 0 };
  let found: readonly AwayScreen[];
  do {
    found = await findAwayScreens(options.db, at, after, AWAY_SCREENS_PER_BATCH);
    const away = found.filter((screen) => wasOpen(screen, now));
    for (const [tenantId, screens] of groupBy(away, ({ tenant_id }) => tenant_id)) {
      if (goesOn()) await tell(options, tenantId, screens, at);
    }
    after = found.at(-1) ?? after;
  } while (found.length === AWAY_SCREENS_PER_BATCH && goesOn());
}
