import type { Network } from '../faults/hosts/network.ts';

/** Sends a signal to every process of the hosts, and says how many there were. */
export function signalHosts(
  network: Network,
  hosts: readonly string[],
  signal: NodeJS.Signals,
): number {
  const pids = hosts.flatMap((host) => network.pids(host));
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      // It has ended meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
  return pids.length;
}
