// `node --import tsx test/cluster/main.ts [DRILL]...`, as root: a cluster on one machine loses a part of
// itself under load, once for each drill; see README.md.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { nodeCommand } from '../../bench/processes/child.ts';
import { withFolder } from '../../bench/processes/temporary-folder.ts';
import { layNetwork, type Network } from '../faults/hosts/network.ts';
import { DRILL_NAMES } from './drill-names.ts';
import { APP, DATABASES, HOSTS } from './hosts.ts';
import { findMissing } from './programs.ts';
import { signalHosts } from './signal-hosts.ts';

const STOP_BOUND_MS = 20_000;
const POLL_MS = 100;

/** Ends what runs on the hosts: first Lavagna and the proxies, then the databases in order. */
async function stopAll(network: Network): Promise<void> {
  signalHosts(network, [APP], 'SIGKILL');
  signalHosts(network, DATABASES, 'SIGTERM');
  const bound = Date.now() + STOP_BOUND_MS;
  while (DATABASES.some((host) => network.pids(host).length > 0) && Date.now() < bound) {
    await sleep(POLL_MS);
  }
  while (signalHosts(network, HOSTS, 'SIGKILL') > 0) await sleep(POLL_MS);
}

async function run(drills: readonly string[]): Promise<number> {
  const network = layNetwork(HOSTS);
  try {
    return await withFolder('cluster', async (folder) => {
      const command = nodeCommand('test/cluster/run.ts', folder, ...drills);
      const [file = '', ...args] = network.on(APP, command);
      const inside = spawn(file, args, { stdio: 'inherit' });
      // A terminal sends its signals to both; what remains is ended below.
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
        process.on(signal, () => inside.kill('SIGTERM'));
      }
      try {
        const [code] = await once(inside, 'close');
        return code ?? 1;
      } finally {
        await stopAll(network);
      }
    });
  } finally {
    network.remove();
  }
}

const missing = findMissing();
const drills = process.argv.slice(2);
const unknown = drills.filter((name) => !DRILL_NAMES.includes(name));
if (unknown.length > 0) {
  console.error(`There is no drill ${unknown.join(', ')}; there are ${DRILL_NAMES.join(', ')}.`);
  process.exitCode = 2;
} else if (missing !== undefined) {
  console.error(missing);
  process.exitCode = 1;
} else {
  process.exitCode = await run(drills);
}
