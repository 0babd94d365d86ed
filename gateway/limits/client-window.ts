import type { ClientNetwork } from '../http/client-address.ts';
import type { Limiter, Verdict } from './limits.ts';

/** Tells a waiting request what was decided. */
type Waiter = (verdict: Verdict) => void;

/**
 * One client's use of one limiter in its present window, as this gateway knows it. Admitted are
 * `count + sent + debt`; Postgres knows of `count`, and perhaps of `sent`. As of tenants, the fields that
 * a hot read needs come first.
 */
export interface ClientWindow {
  limiter: Limiter;
  client: ClientNetwork;
  /** In whole ms on the gateway's clock. Never before the true end; late by at most one round trip. */
  endsAt: number;
  /** Requests of all gateways that Postgres has counted. */
  count: number;
  /** Requests admitted here that the statement under way reports. */
  sent: number;
  /** Requests admitted here that no statement has reported; below 0 when too many were. */
  debt: number;
  /** Requests that the statement under way asks for, in their order. */
  asked: Waiter[];
  /** Requests that the next statement will ask for. */
  waiting: Waiter[];
  /** Whether Postgres has told us of this window; else it began here and is news. */
  shared: boolean;
  /** Whether it is the one that counts for its client; else it has given way, or was over. */
  isHeld: boolean;
  tenantId: number;
  /** Rises when a new window begins: what was sent for an older one is then of no interest. */
  round: number;
  /** Neighbours in the order of the windows' beginning. */
  older: ClientWindow | undefined;
  newer: ClientWindow | undefined;
}

/** The first whole ms that is not before the end of a span: a window never ends too early. */
export function endAfter(start: number, length: number): number {
  return Math.ceil(start + length);
}

/** Whose requests are counted, with the window that was found last: guests often share an address. */
export interface Counted {
  /** Of the tenant. */
  id: number;
  window: ClientWindow | undefined;
}

/** Nearly all windows have no waiter; with one empty list, a hot read finds it near. */
export const NO_WAITERS: Waiter[] = [];

export function addWaiter(window: ClientWindow, waiter: Waiter): void {
  if (window.waiting === NO_WAITERS) window.waiting = [waiter];
  else window.waiting.push(waiter);
}

/** Requests of the present window that are admitted for certain. */
export function admittedIn(window: ClientWindow): number {
  return window.count + window.sent + window.debt;
}

/** Requests that wait for a decision. */
export function waitingFor(window: ClientWindow): number {
  return window.asked.length + window.waiting.length;
}

/** Whether a statement under way or a waiting request needs this very object. */
export function isBusy(window: ClientWindow): boolean {
  return window.sent !== 0 || waitingFor(window) > 0;
}

/** Begins the client's next window; requests that wait stay waiting. */
export function renew(window: ClientWindow, endsAt: number): void {
  window.endsAt = endsAt;
  window.shared = false;
  window.round += 1;
  window.count = 0;
  window.sent = 0;
  window.debt = 0;
}
