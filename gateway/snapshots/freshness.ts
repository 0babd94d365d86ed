import assert from 'node:assert/strict';
import { servedVersion, type Tenant, UNKNOWN_VERSION } from './loaded-snapshot.ts';

/**
 * What a gateway knows about the menu of a tenant in memory, which serves on in every state:
 *
 * - `current`: no newer version is known.
 * - `stale`: a newer version is known and not yet being read.
 * - `refreshing`: it is being read.
 * - `resting`: it could not be read; after a pause the menu is stale again.
 */
export type State = 'current' | 'stale' | 'refreshing' | 'resting';

/** What can happen to it. */
type Event =
  /** A newer version is announced. */
  | 'announced'
  /** Reading begins. */
  | 'started'
  /** The expected version is in memory, or the tenant no longer is. */
  | 'reached'
  /** The version that was read for is in memory, and a newer one was announced meanwhile. */
  | 'overtaken'
  /** Postgres did not answer, or a replica has not come so far. */
  | 'missed'
  /** The version is stored in another format: there is nothing to read. */
  | 'unreadable'
  /** The pause is over. */
  | 'rested'
  /** The database has another history: it may never have the expected version. */
  | 'lost';

/** Where each event leads; anything else is a fault of ours. */
const TRANSITIONS: Record<State, Partial<Record<Event, State>>> = {
  current: { announced: 'stale' },
  stale: { announced: 'stale', started: 'refreshing', reached: 'current', lost: 'current' },
  refreshing: {
    ...{ announced: 'refreshing', lost: 'refreshing' },
    ...{ reached: 'current', overtaken: 'stale', missed: 'resting', unreadable: 'current' },
  },
  resting: { announced: 'resting', rested: 'stale', lost: 'current' },
};

interface Entry {
  state: State;
  /** The newest version that is known. */
  expected: number;
  /** The version that the reading under way is for. */
  sought: number;
}

/** How the reading of a tenant's menu ended. */
export type Outcome = 'read' | 'failed' | 'unreadable';

/** The states of the tenants in memory. */
export interface Freshness {
  state(tenant: Tenant): State;
  /** Tenants that are not current. */
  tenants(): Iterable<Tenant>;
  announce(tenant: Tenant, version: number): void;
  /** The version to read for; null when the tenant is not stale. */
  start(tenant: Tenant): number | null;
  finish(tenant: Tenant, outcome: Outcome): State;
  /** All that rest are stale again. */
  endRests(): void;
  /** No version that was announced is expected any longer. */
  forgetAnnounced(): void;
}

export function createFreshness(): Freshness {
  /** A tenant without an entry is current. */
  const entries = new Map<Tenant, Entry>();

  const move = (tenant: Tenant, entry: Entry, event: Event): State => {
    const next = TRANSITIONS[entry.state][event];
    assert.ok(next, `a ${entry.state} menu cannot be ${event}`);
    entry.state = next;
    if (next === 'current') entries.delete(tenant);
    else entries.set(tenant, entry);
    return next;
  };

  return {
    state: (tenant) => entries.get(tenant)?.state ?? 'current',
    tenants: () => entries.keys(),
    announce: (tenant, version) => {
      const entry = entries.get(tenant) ?? { state: 'current', expected: version, sought: 0 };
      if (entry.state === 'current' && servedVersion(tenant) >= version) return;
      entry.expected = Math.max(entry.expected, version);
      move(tenant, entry, 'announced');
    },
    start: (tenant) => {
      const entry = entries.get(tenant);
      if (entry?.state !== 'stale') return null;
      if (servedVersion(tenant) >= entry.expected) {
        move(tenant, entry, 'reached');
        return null;
      }
      entry.sought = entry.expected;
      move(tenant, entry, 'started');
      return entry.sought;
    },
    finish: (tenant, outcome) => {
      const entry = entries.get(tenant);
      assert.ok(entry, 'a menu that is refreshing has an entry');
      const served = servedVersion(tenant);
      if (served >= entry.expected) return move(tenant, entry, 'reached');
      const isOvertaken = entry.expected > entry.sought;
      if (outcome === 'unreadable') {
        return move(tenant, entry, isOvertaken ? 'overtaken' : 'unreadable');
      }
      return move(tenant, entry, isOvertaken && served >= entry.sought ? 'overtaken' : 'missed');
    },
    endRests: () => {
      for (const [tenant, entry] of entries) {
        if (entry.state === 'resting') move(tenant, entry, 'rested');
      }
    },
    forgetAnnounced: () => {
      for (const [tenant, entry] of entries) {
        entry.expected = UNKNOWN_VERSION;
        entry.sought = UNKNOWN_VERSION;
        move(tenant, entry, 'lost');
      }
    },
  };
}
