import { addressText } from '../../gateway/http/client-address.ts';
import type { Verdict } from '../../gateway/limits/limits.ts';
import { type Batch, Windows } from '../../gateway/limits/windows.ts';
import { createWindowTable } from './window-table.ts';

/** The fate of one statement, and how long its two ways take, in ms. */
export interface Journey {
  there: number;
  back: number;
  /** `lost` never arrives; `unheard` is counted, but the gateway does not learn of it. */
  fate: 'heard' | 'lost' | 'unheard';
}

/** One decided request. Times are true times, in ms, which no clock of the world shows. */
export interface Decision {
  client: number;
  gateway: number;
  askedAt: number;
  decidedAt: number;
  verdict: Verdict;
}

interface WorldOptions {
  limit: number;
  length: number;
  maxWindows: number;
  /** How far each gateway's clock is from the true time; one entry a gateway. */
  clocks: number[];
  /** How far Postgres' clock is from it. */
  tableClock: number;
  /** How many gateways each gateway believes there are. */
  believed: number;
  /** The fates of the statements, over and over. */
  journeys: Journey[];
  waitBound: number;
}

interface Gateway {
  windows: Windows;
  underWay: boolean;
  /** Rises when the process is replaced: events of the one before are void. */
  life: number;
}

const TENANT = 7;
/** The verdict on a request whose gateway was killed before it was decided. */
export const UNDECIDED: Verdict = { admitted: false, remaining: -1, resetIn: 0 };

/** Gateways and one Postgres in simulated time. */
export class LimitWorld {
  /** In the order in which they were asked for. */
  readonly decisions: Decision[] = [];
  /** Requests that wait for a decision. */
  readonly waiting = new Set<Decision>();
  #time = 0;
  #journey = 0;
  #events: { at: number; run: () => void }[] = [];
  readonly #options: WorldOptions;
  readonly #table;
  readonly #gateways: Gateway[];

  constructor(options: WorldOptions) {
    this.#options = options;
    this.#table = createWindowTable(options.length);
    this.#gateways = options.clocks.map((_, i) => ({
      windows: this.#windows(i),
      underWay: false,
      life: 0,
    }));
  }

  get time(): number {
    return this.#time;
  }

  /** Sends `n` requests of a client to a gateway at the same moment. */
  burst(gateway: number, client: number, n: number): void {
    const { windows } = this.#gateways[gateway] as Gateway;
    for (let i = 0; i < n; i += 1) {
      const askedAt = this.#time;
      const verdict = windows.take('public', TENANT, client, this.#clock(gateway));
      const decision: Decision = {
        client,
        gateway,
        askedAt,
        decidedAt: askedAt,
        verdict: UNDECIDED,
      };
      this.decisions.push(decision);
      if (verdict instanceof Promise) {
        this.waiting.add(decision);
        void verdict.then((decided) => {
          this.waiting.delete(decision);
          decision.verdict = decided;
          decision.decidedAt = this.#time;
        });
      } else {
        decision.verdict = verdict;
      }
    }
    this.#report(gateway);
  }

  /** Lets time pass, and everything happen that is under way. */
  async pass(duration: number): Promise<void> {
    const end = this.#time + duration;
    for (;;) {
      this.#events.sort((a, b) => a.at - b.at);
      const next = this.#events[0];
      if (!next || next.at > end) break;
      this.#events.shift();
      this.#time = next.at;
      next.run();
      // Those who waited are told in a microtask, before the time moves on.
      await Promise.resolve();
    }
    this.#time = end;
  }

  /** Lets time pass until nothing is under way. */
  async settle(): Promise<void> {
    while (this.#events.length > 0) await this.pass(1_000);
  }

  /** Ends a gateway without warning and starts another in its place. */
  kill(gateway: number): void {
    const killed = this.#gateways[gateway] as Gateway;
    // It answers no request any more, not even those that waited.
    killed.windows = this.#windows(gateway);
    killed.underWay = false;
    killed.life += 1;
    for (const decision of this.waiting) {
      if (decision.gateway === gateway) this.waiting.delete(decision);
    }
  }

  /** Ends a gateway that may report first, and starts another in its place. */
  async restart(gateway: number): Promise<void> {
    await this.settle();
    this.kill(gateway);
  }

  /** Postgres' count for a client. */
  counted(client: number): number {
    const key = `${TENANT}/public/${addressText(client)}`;
    return this.#table.admitted(key, this.#time + this.#options.tableClock);
  }

  get held(): number {
    return Math.max(...this.#gateways.map(({ windows }) => windows.stats.windows));
  }

  #clock(gateway: number): number {
    return this.#time + (this.#options.clocks[gateway] ?? 0);
  }

  #windows(gateway: number): Windows {
    const { limit, length, maxWindows, waitBound, believed } = this.#options;
    const windows = new Windows({
      limits: { public: limit, admin: limit, analytics: limit },
      length,
      maxWindows,
      longTrip: waitBound,
      now: this.#clock(gateway),
    });
    windows.setGateways(believed);
    return windows;
  }

  #later(after: number, run: () => void): void {
    this.#events.push({ at: this.#time + after, run });
  }

  #report(index: number): void {
    const gateway = this.#gateways[index] as Gateway;
    if (gateway.underWay || !gateway.windows.isDue) return;
    const batch = gateway.windows.collect(3, this.#clock(index));
    if (batch.windows.length === 0) return;
    gateway.underWay = true;
    const { journeys, waitBound } = this.#options;
    const journey = journeys[this.#journey % journeys.length] as Journey;
    this.#journey += 1;
    if (journey.there + journey.back > waitBound) {
      const { life } = gateway;
      this.#later(waitBound, () => {
        if (life === gateway.life) gateway.windows.setPatient(false, this.#clock(index));
      });
    }
    this.#travel(index, batch, journey);
  }

  #travel(index: number, batch: Batch, { there, back, fate }: Journey): void {
    const gateway = this.#gateways[index] as Gateway;
    const { life } = gateway;
    const sentAt = this.#clock(index);
    const arrive = (run: () => void) => () => {
      if (life !== gateway.life) return;
      run();
      gateway.underWay = false;
      this.#report(index);
    };
    if (fate === 'lost') {
      const fail = arrive(() => gateway.windows.fail(batch, this.#clock(index)));
      this.#later(there + back, fail);
      return;
    }
    this.#later(there, () => {
      const counts = this.#table.count(batch.asks, this.#time + this.#options.tableClock);
      this.#later(
        back,
        arrive(() => {
          const now = this.#clock(index);
          if (fate === 'unheard') return gateway.windows.fail(batch, now);
          const isSlow = there + back > this.#options.waitBound;
          gateway.windows.settle(batch, counts, sentAt, now);
          gateway.windows.setPatient(!isSlow, now);
        }),
      );
    });
  }
}
