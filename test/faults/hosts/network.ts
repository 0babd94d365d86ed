import { execFileSync } from 'node:child_process';

/** Hosts of their own kernel's network each, joined by a switch. */
export interface Network {
  /** Of a host, as the others reach it. */
  address(host: string): string;
  /** `command`, to be run on a host. */
  on(host: string, command: readonly string[]): string[];
  /** From now on every packet from and to the host vanishes, and no process is told. */
  cut(host: string): void;
  /** Takes a cut back. */
  join(host: string): void;
  /** The processes that run on the host. */
  pids(host: string): number[];
}

/** A network that can be removed by who laid it. */
interface LaidNetwork extends Network {
  remove(): void;
}

const SWITCH = 'lavagna-switch';
const BRIDGE = 'bridge';

function ip(...args: string[]): void {
  execFileSync('ip', args, { stdio: ['ignore', 'inherit', 'pipe'] });
}

const spaceOf = (host: string) => `lavagna-${host}`;
const portOf = (host: string) => `port-${host}`.slice(0, 15);

/** The network of `hosts` that another process has laid. */
export function networkOf(hosts: readonly string[]): Network {
  const listPids = (host: string) =>
    execFileSync('ip', ['netns', 'pids', spaceOf(host)], { encoding: 'utf8' });
  return {
    address: (host) => `10.77.0.${hosts.indexOf(host) + 1}`,
    on: (host, command) => ['ip', 'netns', 'exec', spaceOf(host), ...command],
    cut: (host) => ip('-n', SWITCH, 'link', 'set', portOf(host), 'nomaster'),
    join: (host) => ip('-n', SWITCH, 'link', 'set', portOf(host), 'master', BRIDGE),
    pids: (host) => listPids(host).split('\n').filter(Boolean).map(Number),
  };
}

/**
 * Lays a network of `hosts` out of namespaces of this machine, which takes root and `ip`.
 *
 * @throws when namespaces cannot be made here
 */
export function layNetwork(hosts: readonly string[]): LaidNetwork {
  const network = networkOf(hosts);
  const { address } = network;
  const hardware = (host: string) => `02:00:00:77:00:0${hosts.indexOf(host) + 1}`;
  const made: string[] = [];
  const remove = () => {
    for (const space of made.splice(0)) ip('netns', 'del', space);
  };
  const make = (space: string) => {
    ip('netns', 'add', space);
    made.push(space);
    ip('-n', space, 'link', 'set', 'lo', 'up');
  };
  const plug = (host: string) => {
    const space = spaceOf(host);
    make(space);
    const cable = ['link', 'add', portOf(host), 'type', 'veth', 'peer', 'name', 'eth0'];
    ip('-n', SWITCH, ...cable, 'address', hardware(host), 'netns', space);
    ip('-n', SWITCH, 'link', 'set', portOf(host), 'master', BRIDGE, 'up');
    ip('-n', space, 'address', 'add', `${address(host)}/24`, 'dev', 'eth0');
    ip('-n', space, 'link', 'set', 'eth0', 'up');
    for (const other of hosts) {
      if (other === host) continue;
      // Else the kernel would find out that the host is away, and report it.
      const entry = ['neighbour', 'add', address(other), 'lladdr', hardware(other)];
      ip('-n', space, ...entry, 'dev', 'eth0', 'nud', 'permanent');
    }
  };
  try {
    make(SWITCH);
    ip('-n', SWITCH, 'link', 'add', BRIDGE, 'type', 'bridge');
    ip('-n', SWITCH, 'link', 'set', BRIDGE, 'up');
    for (const host of hosts) plug(host);
  } catch (error) {
    remove();
    throw error;
  }
  return { ...network, remove };
}
