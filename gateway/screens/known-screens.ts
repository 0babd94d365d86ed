import { LRUCache } from 'lru-cache';
import type { Db } from '../../db/postgres/sql.ts';
import { constants } from '../../db/runtime/constants.ts';
import type { ScreenNotice } from '../../db/schema/notices.ts';
import { findScreenByCookie, type KnownScreen } from '../../db/sql/screens.ts';
import { hashCookie, type RandomCookie } from '../http/random-cookie.ts';

/** The screens that this gateway has seen, so that they open while Postgres is away. */
export interface KnownScreens {
  /**
   * The screen with this cookie, or null.
   *
   * @throws when Postgres is away and this gateway has not seen the screen
   */
  find(tenantId: number, cookie: RandomCookie): Promise<KnownScreen | null>;
  /** A screen's settings have changed, or it is gone. */
  onScreen(notice: ScreenNotice): void;
  /** Notices may have been missed. */
  reconcile(): void;
}

const idOf = (tenantId: number, id: number) => `${tenantId}/${id}`;

/** @param now milliseconds since 1970 */
export function createKnownScreens(db: Db, now: () => number): KnownScreens {
  const byCookie = new LRUCache<string, { screen: KnownScreen; readAt: number }>({
    max: constants.maxKnownScreens,
    dispose: ({ screen }, key, reason) => {
      const name = idOf(Number.parseInt(key, 10), screen.id);
      if (reason !== 'set' && keys.get(name) === key) keys.delete(name);
    },
  });
  const keys = new Map<string, string>();
  /** Rises with each notice: what was read before it may be stale. */
  let round = 0;
  return {
    find: async (tenantId, cookie) => {
      if (cookie.isNew) return null;
      const hash = hashCookie(cookie);
      const key = `${tenantId}/${hash.toString('base64url')}`;
      const known = byCookie.get(key);
      if (known) {
        const name_for = Math.max(0, known.screen.name_for - (now() - known.readAt));
        return { ...known.screen, name_for };
      }
      const begun = round;
      const screen = await findScreenByCookie(db, tenantId, hash);
      if (screen && begun === round) {
        byCookie.set(key, { screen, readAt: now() });
        keys.set(idOf(tenantId, screen.id), key);
      }
      return screen;
    },
    onScreen: ({ tenant_id, id }) => {
      round += 1;
      const key = keys.get(idOf(tenant_id, id));
      if (key !== undefined) byCookie.delete(key);
    },
    reconcile: () => {
      round += 1;
      byCookie.clear();
    },
  };
}
