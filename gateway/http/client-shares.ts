import type { ClientAddress } from './client-address.ts';
import { type ClientNetwork, clientNetwork } from './client-network.ts';

/** Something that there is a bounded amount of, and of which requests hold a part for a while. */
export interface ClientShares {
  /** Whether `amount` more could be had; of it nothing is taken when not. */
  take(client: ClientAddress, amount: number): boolean;
  give(client: ClientAddress, amount: number): void;
}

/**
 * @param most that all clients together may hold
 * @param mostOfOne that one IPv4 address or IPv6 network (/64) may hold
 */
export function createClientShares(most: number, mostOfOne: number): ClientShares {
  let taken = 0;
  const takenBy = new Map<ClientNetwork, number>();
  return {
    take: (client, amount) => {
      const network = clientNetwork(client);
      const own = (takenBy.get(network) ?? 0) + amount;
      if (taken + amount > most || own > mostOfOne) return false;
      taken += amount;
      takenBy.set(network, own);
      return true;
    },
    give: (client, amount) => {
      const network = clientNetwork(client);
      const own = (takenBy.get(network) ?? 0) - amount;
      taken -= amount;
      if (own > 0) takenBy.set(network, own);
      else takenBy.delete(network);
    },
  };
}
