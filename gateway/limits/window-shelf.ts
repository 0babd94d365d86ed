import type { ClientNetwork } from '../http/client-address.ts';
import { type ClientWindow, type Counted, isBusy } from './client-window.ts';
import type { Limiter } from './limits.ts';

type Clients = Map<ClientNetwork, ClientWindow>;

/**
 * A bounded number of windows, by client and in the order in which they began. At the bound the
 * oldest gives way to the newest, so a flood of addresses costs memory once and refuses no client.
 */
export class WindowShelf {
  readonly #max: number;
  // Maps within maps: a joint key would have to be made for every request.
  readonly #tenants: Record<Limiter, Map<number, Clients>> = {
    public: new Map(),
    admin: new Map(),
    analytics: new Map(),
  };
  #oldest: ClientWindow | undefined;
  #newest: ClientWindow | undefined;
  /** Windows that are held. */
  size = 0;
  /** Windows that have given way before they were over. */
  evicted = 0;

  constructor(max: number) {
    this.#max = max;
  }

  find(limiter: Limiter, tenantId: number, client: ClientNetwork): ClientWindow | undefined {
    return this.#tenants[limiter].get(tenantId)?.get(client);
  }

  /** As `find`; what was found last needs no look into a map. */
  findAgain(limiter: Limiter, counted: Counted, client: ClientNetwork): ClientWindow | undefined {
    const last = counted.window;
    if (last?.isHeld && last.client === client && last.limiter === limiter) return last;
    counted.window = this.find(limiter, counted.id, client);
    return counted.window;
  }

  /** Adds a window that begins now. */
  add(window: ClientWindow): void {
    const tenants = this.#tenants[window.limiter];
    let clients = tenants.get(window.tenantId);
    if (!clients) {
      clients = new Map();
      tenants.set(window.tenantId, clients);
    }
    clients.set(window.client, window);
    this.#append(window);
    this.size += 1;
  }

  /** Says that a client's next window begins now. */
  touch(window: ClientWindow): void {
    if (window === this.#newest) return;
    this.#detach(window);
    this.#append(window);
  }

  /** Removes up to `max` of the oldest windows that are over, and returns them. */
  sweep(max: number, now: number): ClientWindow[] {
    const swept: ClientWindow[] = [];
    while (swept.length < max && this.#oldest && this.#oldest.endsAt <= now) {
      if (isBusy(this.#oldest)) break;
      swept.push(this.#remove(this.#oldest));
    }
    return swept;
  }

  /** When there is no room for one more window: removes the oldest that need not be spared. */
  makeRoom(isSpared: (window: ClientWindow) => boolean): ClientWindow | undefined {
    for (let i = this.size; i >= this.#max && this.#oldest; i -= 1) {
      if (!isBusy(this.#oldest) && !isSpared(this.#oldest)) {
        this.evicted += 1;
        return this.#remove(this.#oldest);
      }
      this.touch(this.#oldest);
    }
    return undefined;
  }

  #remove(window: ClientWindow): ClientWindow {
    const tenants = this.#tenants[window.limiter];
    const clients = tenants.get(window.tenantId);
    clients?.delete(window.client);
    if (clients?.size === 0) tenants.delete(window.tenantId);
    this.#detach(window);
    window.isHeld = false;
    this.size -= 1;
    return window;
  }

  #append(window: ClientWindow): void {
    window.older = this.#newest;
    window.newer = undefined;
    if (this.#newest) this.#newest.newer = window;
    this.#newest = window;
    this.#oldest ??= window;
  }

  #detach(window: ClientWindow): void {
    if (window.older) window.older.newer = window.newer;
    else this.#oldest = window.newer;
    if (window.newer) window.newer.older = window.older;
    else this.#newest = window.older;
  }
}
