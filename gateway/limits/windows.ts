import { constants } from '../../db/runtime/constants.ts';
import type { WindowAsk, WindowCount } from '../../db/sql/limit-windows.ts';
import { type ClientNetwork, networkText } from '../http/client-address.ts';
import {
  addWaiter,
  admittedIn,
  type ClientWindow,
  type Counted,
  endAfter,
  NO_WAITERS,
  renew,
  waitingFor,
} from './client-window.ts';
import type { Limiter, Verdict } from './limits.ts';
import { WindowShelf } from './window-shelf.ts';

/** Share of a limit from which a client is near it, when there are several gateways. */
const LIMIT_NEAR_SHARE = 3 / 4;

/**
 * How many requests of one client a gateway may admit before it has reported them to Postgres. When
 * so many are unreported, the client is near its limit: its next request waits for the report.
 *
 * Postgres counts up to the limit and no further. So a limit is exceeded only by requests that other
 * gateways have admitted and not yet reported. And a gateway that is killed forgets those that it has
 * not reported. The excess that is allowed is shared by the other gateways, or kept for such an end
 * where there are none. No client is refused unfairly: a report holds only what was admitted.
 *
 * A display that asks now and then never waits: it finds nothing unreported. Page loads of a few
 * requests at once do not wait either. Where there are several gateways,
 * - a client beyond `LIMIT_NEAR_SHARE` of its limit, as far as is known here, waits each time. So traffic
 *   that is spread over gateways leaks only when it begins with a burst;
 * - public reads keep an allowance of one however many gateways there are, since they wait for
 *   Postgres nowhere else; admin requests and events do anyhow, and are exact then.
 */
function allowance(limiter: Limiter, limit: number, admitted: number, gateways: number): number {
  const leak = Math.floor(limit / constants.limitLeakDivisor);
  const least = limiter === 'public' ? 1 : 0;
  if (gateways === 1) return Math.max(leak, least);
  if (admitted >= limit * LIMIT_NEAR_SHARE) return 0;
  return Math.max(Math.floor(leak / (gateways - 1)), least);
}

/** The report of one statement to Postgres. */
export interface Batch {
  asks: WindowAsk[];
  windows: ClientWindow[];
  /** The round of each window when the batch was made. */
  rounds: number[];
}

interface WindowsOptions {
  /** Requests a minute. */
  limits: Record<Limiter, number>;
  /** Length of a window, in ms. */
  length: number;
  /** Most windows that are held. */
  maxWindows: number;
  /** How long an answer of Postgres may take before the end of a window is uncertain, in ms. */
  longTrip: number;
  /** The present, in ms. Windows that began earlier are known to Postgres alone. */
  now: number;
}

/**
 * Counts requests in memory and decides them; what it counts and asks is carried to Postgres in
 * batches, one at a time. It knows no clock and no database: times are milliseconds of the caller's
 * clock, which must not go back.
 */
export class Windows {
  readonly #limits: Record<Limiter, number>;
  readonly #length: number;
  readonly #longTrip: number;
  readonly #shelf: WindowShelf;
  /** Windows with something to report. */
  readonly #due = new Set<ClientWindow>();
  /** Those among them whose next request would wait for the report. */
  readonly #full = new Set<ClientWindow>();
  /** Windows for which requests wait. */
  readonly #awaited = new Set<ClientWindow>();
  /** Until then a client that is new here may have a window that only Postgres knows. */
  #forgottenUntil: number;
  #patient = true;
  #gateways = 1;

  constructor(options: WindowsOptions) {
    this.#limits = options.limits;
    this.#length = options.length;
    this.#longTrip = options.longTrip;
    this.#shelf = new WindowShelf(options.maxWindows);
    this.#forgottenUntil = options.now + options.length;
  }

  /**
   * Admits a request at once if that is certain, and returns how many the client has left; below 0
   * for a request that only `take` can decide, which is not counted here.
   */
  pass(limiter: Limiter, counted: Counted, client: ClientNetwork, now: number): number {
    const window = this.#shelf.findAgain(limiter, counted, client);
    if (!window || now >= window.endsAt || waitingFor(window) > 0) return -1;
    const admitted = admittedIn(window);
    const remaining = this.#limits[limiter] - admitted - 1;
    const free = remaining < 0 ? 0 : this.#freeIn(window, admitted, now);
    if (free <= 0) return -1;
    if (free === 1) this.#full.add(window);
    // One with a debt is due already: a look at it is shorter than one into the set.
    if (window.debt <= 0) this.#due.add(window);
    window.debt += 1;
    return remaining;
  }

  /** Decides a request: at once, or with a promise when only Postgres can tell. */
  take(
    limiter: Limiter,
    tenantId: number,
    client: ClientNetwork,
    now: number,
  ): Verdict | Promise<Verdict> {
    const limit = this.#limits[limiter];
    const window =
      this.#shelf.find(limiter, tenantId, client) ?? this.#open(limiter, tenantId, client, now);
    const ahead = waitingFor(window);
    if (ahead === 0 && now >= window.endsAt) this.#renew(window, now);
    const admitted = admittedIn(window);
    if (admitted >= limit && now < window.endsAt) return refuse(window, now);
    this.#due.add(window);
    const free = ahead === 0 ? this.#freeIn(window, admitted, now) : 0;
    if (free > 0) {
      if (free === 1) this.#full.add(window);
      window.debt += 1;
      return { admitted: true, remaining: limit - admitted - 1, resetIn: 0 };
    }
    this.#awaited.add(window);
    return new Promise((resolve) => addWaiter(window, resolve));
  }

  /** How many requests a client has left, as far as is known here; it counts nothing. */
  left(limiter: Limiter, tenantId: number, client: ClientNetwork, now: number): number {
    const limit = this.#limits[limiter];
    const window = this.#shelf.find(limiter, tenantId, client);
    return window && now < window.endsAt ? Math.max(0, limit - admittedIn(window)) : limit;
  }

  /** Whether there is anything to report. */
  get isDue(): boolean {
    return this.#due.size > 0;
  }

  /** Whether requests wait for what there is to report. */
  get isAwaited(): boolean {
    return this.#awaited.size > 0;
  }

  /** Whether the next request of a client would wait for it. */
  get isFull(): boolean {
    return this.#full.size > 0;
  }

  /**
   * The next report, of at most `max` windows; those for which requests wait come first.
   *
   * @param isWhole false leaves out those whose clients can go on without it
   */
  collect(max: number, now: number, isWhole = true): Batch {
    const batch: Batch = { asks: [], windows: [], rounds: [] };
    const pressing = [this.#awaited, this.#full];
    for (const windows of isWhole ? [...pressing, this.#due] : pressing) {
      for (const window of windows) {
        if (batch.windows.length >= max) return batch;
        this.#full.delete(window);
        if (this.#due.delete(window)) this.#report(window, batch, now);
      }
    }
    return batch;
  }

  /**
   * Postgres has counted a batch.
   *
   * @param counts as Postgres gave them; a window without one is asked for again
   * @param sentAt when the batch left; Postgres' answer was true at some moment since then
   */
  settle(batch: Batch, counts: readonly (WindowCount | undefined)[], sentAt: number, now: number) {
    for (const [i, window] of batch.windows.entries()) {
      // The answer is about the round before this one.
      if (window.round !== batch.rounds[i]) continue;
      const count = counts[i];
      if (count) this.#adopt(window, batch.asks[i] as WindowAsk, count, sentAt, now);
      else this.#takeBack(window);
    }
  }

  /** A batch is lost: Postgres may have counted it or not, and those who wait are not told. */
  fail(batch: Batch, now: number): void {
    this.setPatient(false, now);
    for (const [i, window] of batch.windows.entries()) {
      if (window.round !== batch.rounds[i]) continue;
      // As a floor it is counted once, whether Postgres has heard of it or not.
      window.count += window.sent;
      window.sent = 0;
      this.#due.add(window);
    }
  }

  /** Whether requests may wait for Postgres; when not, those who wait are decided at once. */
  setPatient(patient: boolean, now: number): void {
    this.#patient = patient;
    if (patient) return;
    for (const window of this.#awaited) this.#decideHere(window, now);
    this.#awaited.clear();
  }

  /** How many gateways share the counters, this one among them. */
  setGateways(count: number): void {
    this.#gateways = count;
  }

  /** Forgets up to `max` windows that are over. */
  sweep(max: number, now: number): void {
    for (const window of this.#shelf.sweep(max, now)) this.#settled(window);
  }

  get stats(): { windows: number; evicted: number } {
    return { windows: this.#shelf.size, evicted: this.#shelf.evicted };
  }

  /** How many more requests may be admitted before those until now are reported. */
  #freeIn(window: ClientWindow, admitted: number, now: number): number {
    if (!this.#patient) return Number.POSITIVE_INFINITY;
    if (!window.shared && now < this.#forgottenUntil) return 0;
    const limit = this.#limits[window.limiter];
    return allowance(window.limiter, limit, admitted, this.#gateways) - window.sent - window.debt;
  }

  /** There is nothing to report about a window any more. */
  #settled(window: ClientWindow): void {
    this.#due.delete(window);
    this.#full.delete(window);
  }

  #open(limiter: Limiter, tenantId: number, client: ClientNetwork, now: number): ClientWindow {
    // Twice as many may go as come, so the windows of a flood do not outlive it.
    this.sweep(2, now);
    const evicted = this.#shelf.makeRoom((other) => this.#patient && this.#due.has(other));
    if (evicted) {
      // Its count stays in Postgres. When Postgres is away, what it has not heard is forgotten, in
      // the client's favour. The next new client may be the evicted one.
      this.#settled(evicted);
      this.#forgottenUntil = Math.max(this.#forgottenUntil, evicted.endsAt);
    }
    const window: ClientWindow = {
      limiter,
      client,
      endsAt: endAfter(now, this.#length),
      count: 0,
      sent: 0,
      debt: 0,
      asked: NO_WAITERS,
      waiting: NO_WAITERS,
      shared: false,
      isHeld: true,
      tenantId,
      round: 0,
      older: undefined,
      newer: undefined,
    };
    this.#shelf.add(window);
    return window;
  }

  #renew(window: ClientWindow, now: number): void {
    renew(window, endAfter(now, this.#length));
    this.#shelf.touch(window);
  }

  #report(window: ClientWindow, batch: Batch, now: number): void {
    if (now >= window.endsAt) {
      if (window.waiting.length === 0) return;
      this.#renew(window, now);
    }
    window.sent = window.debt;
    window.debt = 0;
    window.asked = window.waiting;
    window.waiting = NO_WAITERS;
    batch.windows.push(window);
    batch.rounds.push(window.round);
    batch.asks.push({
      tenantId: window.tenantId,
      limiter: window.limiter,
      client: networkText(window.client),
      limit: this.#limits[window.limiter],
      shared: window.shared,
      endsIn: window.endsAt - now,
      floor: window.count,
      debt: window.sent,
      claims: window.asked.length,
    });
  }

  #adopt(window: ClientWindow, ask: WindowAsk, count: WindowCount, sentAt: number, now: number) {
    const latest = endAfter(now, count.endsIn);
    // Two windows of a client end at least their length apart.
    const isNext = latest > window.endsAt + this.#length / 2;
    if (isNext || latest < window.endsAt) {
      // An end that is known late by a long trip would lock the client out for as long.
      const isLong = now - sentAt > this.#longTrip;
      window.endsAt = isLong ? endAfter(sentAt, count.endsIn) : latest;
    }
    window.shared = true;
    const { asked } = window;
    // Postgres may have decided the claims in another way than this gateway did meanwhile.
    if (asked.length < ask.claims) window.debt += window.sent - ask.debt - count.granted;
    if (window.debt !== 0) this.#due.add(window);
    window.count = count.count;
    window.sent = 0;
    window.asked = NO_WAITERS;
    if (window.waiting.length === 0) this.#awaited.delete(window);
    const left = ask.limit - count.count + count.granted;
    asked.forEach((tell, i) => {
      if (i >= count.granted) tell(refuse(window, now));
      else tell({ admitted: true, remaining: left - i - 1, resetIn: 0 });
    });
  }

  #takeBack(window: ClientWindow): void {
    window.debt += window.sent;
    window.sent = 0;
    if (waitingFor(window) > 0) window.waiting = [...window.asked, ...window.waiting];
    window.asked = NO_WAITERS;
    this.#due.add(window);
  }

  #decideHere(window: ClientWindow, now: number): void {
    const { asked, waiting } = window;
    const isOver = now >= window.endsAt;
    if (isOver) this.#renew(window, now);
    window.asked = NO_WAITERS;
    window.waiting = NO_WAITERS;
    const limit = this.#limits[window.limiter];
    for (const [i, tell] of [...asked, ...waiting].entries()) {
      const admitted = admittedIn(window);
      if (admitted >= limit) {
        tell(refuse(window, now));
        continue;
      }
      // Postgres may have granted this request already: it must not be reported as news.
      if (i >= asked.length) window.debt += 1;
      else if (isOver) window.count += 1;
      else window.sent += 1;
      tell({ admitted: true, remaining: limit - admitted - 1, resetIn: 0 });
    }
    this.#due.add(window);
  }
}

function refuse(window: ClientWindow, now: number): Verdict {
  return { admitted: false, remaining: 0, resetIn: Math.max(0, window.endsAt - now) };
}
