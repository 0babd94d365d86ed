import { setTimeout as sleep } from 'node:timers/promises';
import type { Network } from '../faults/hosts/network.ts';
import type { Cluster, ProxyName } from './cluster.ts';
import type { DatabaseHost } from './hosts.ts';
import { SCOPE } from './settings.ts';

export interface DrilledCluster {
  network: Network;
  cluster: Cluster;
  /** The host that takes writes when the drill begins. */
  primary: DatabaseHost;
}

/** Takes a part of the cluster away. */
export interface Drill {
  title: string;
  /** Resolves as soon as there is a way to a primary again. */
  suffer(drilled: DrilledCluster): Promise<void>;
  /** Makes the cluster whole. */
  mend(drilled: DrilledCluster): Promise<void>;
}

/** How long nothing takes writes in the drill without a quorum. */
const WITHOUT_QUORUM_MS = 20_000;
/** How long a primary that was cut off stays away after the next one takes writes. */
const CUT_MS = 5_000;

function restart(proxy: ProxyName): Drill {
  return {
    title: `${proxy} restarts`,
    suffer: async ({ cluster }) => {
      await cluster.stopProxy(proxy);
      await cluster.startProxy(proxy);
    },
    mend: async () => {},
  };
}

export const drills: Record<string, Drill> = {
  kill: {
    title: 'each process of the primary’s host is killed',
    suffer: async ({ cluster, primary }) => {
      cluster.killHost(primary);
      await cluster.untilPrimary([primary]);
    },
    mend: ({ cluster, primary }) => cluster.startHost(primary),
  },
  cut: {
    title: 'the primary’s host loses the network, and comes back',
    suffer: async ({ network, cluster, primary }) => {
      network.cut(primary);
      await cluster.untilPrimary([primary]);
    },
    mend: async ({ network, primary }) => {
      await sleep(CUT_MS);
      network.join(primary);
    },
  },
  switchover: {
    title: 'patronictl switchover',
    suffer: async ({ cluster, primary }) => {
      const [candidate = ''] = await cluster.standbys();
      const ways = ['--primary', primary, '--candidate', candidate, '--force'];
      await cluster.control('switchover', SCOPE, ...ways);
      await cluster.untilPrimary([primary]);
    },
    mend: async () => {},
  },
  quorum: {
    title: 'two of three etcd end, and come back',
    suffer: async ({ cluster }) => {
      const others = await cluster.standbys();
      await Promise.all(others.map((host) => cluster.stopEtcd(host)));
      await cluster.untilNone();
      await sleep(WITHOUT_QUORUM_MS);
      await Promise.all(others.map((host) => cluster.startEtcd(host)));
      await cluster.untilPrimary();
    },
    mend: async () => {},
  },
  pgbouncer: restart('pgbouncer'),
  haproxy: restart('haproxy'),
};
