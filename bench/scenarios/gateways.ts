import { availableParallelism } from 'node:os';
import { cannon } from '../load/job.ts';
import type { Server } from '../peers/peer.ts';
import { costRatio } from '../report.ts';
import type { Scenario } from '../scenario.ts';
import { startGateway } from '../stage/lavagna.ts';

/** Cores that two gateways and the load need if none is to wait for another. */
const CORES_FOR_ALL = 3;

/** Whether a second gateway on the same port doubles what one can do. */
export const gateways: Scenario = {
  name: 'gateways',
  run: async ({ lavagna, slugs, host, size, compare }) => {
    const options = { isPinned: false };
    const alone = await startGateway('one gateway', lavagna.databaseUrl, options);
    const first = await startGateway('first of two', lavagna.databaseUrl, options);
    const shared = { ...options, port: first.port };
    const second = await startGateway('second of two', lavagna.databaseUrl, shared);
    try {
      const name = 'two gateways on one port';
      const pair: Server = { ...first, name, pids: [first.pid, second.pid] };
      const headers = { Host: host(slugs[2] ?? ''), 'Accept-Encoding': 'br' };
      const requests = [{ path: '/api/v1/menu', headers }];
      const rows = await compare(
        [alone, pair].map((server) => ({
          name: server.name,
          server,
          job: cannon(server.port, requests, size.seconds),
        })),
      );
      const [one, two] = rows;
      const text = 'CPU for a request with two gateways ÷ with one';
      const goals = one && two ? [{ text, measured: costRatio(two, one), atMost: 1.1 }] : [];
      const cores = availableParallelism();
      const short = `With ${cores} cores the load takes from the gateways: compare the CPU time.`;
      const note = cores < CORES_FOR_ALL ? { note: short } : {};
      return [{ title: 'One gateway and two, /menu, br', ...note, rows, goals }];
    } finally {
      await Promise.all([alone.stop(), first.stop(), second.stop()]);
    }
  },
};
