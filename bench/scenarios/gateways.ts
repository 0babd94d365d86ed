import { availableParallelism } from 'node:os';
import { cannon } from '../load/job.ts';
import { capture } from '../measure/capture.ts';
import { type Server, startBare } from '../peers/peer.ts';
import { startGateway } from '../processes/lavagna.ts';
import { costRatio } from '../report.ts';
import type { Scenario } from '../scenario.ts';

/** Cores that two gateways and the load need if none is to wait for another. */
const CORES_FOR_ALL = 3;
const isPinned = false;

type Start = (port?: number) => Promise<Server>;

/** A server of its own, and two that share a port. */
async function startOneAndTwo(start: Start): Promise<{ one: Server; pair: Server }> {
  const [one, first] = await Promise.all([start(), start()]);
  const second = await start(first.port);
  const stop = async () => {
    await Promise.all([first.stop(), second.stop()]);
  };
  return { one, pair: { ...first, pids: [...first.pids, ...second.pids], stop } };
}

/** Whether a second gateway on the same port doubles what one can do; and a bare server likewise. */
export const gateways: Scenario = {
  name: 'gateways',
  run: async ({ lavagna, slugs, host, size, compare }) => {
    const headers = { Host: host(slugs[2] ?? ''), 'Accept-Encoding': 'br' };
    const path = '/api/v1/menu';
    const captured = await capture(lavagna.gateway.port, path, headers);
    const place = (port?: number) => ({ isPinned, ...(port !== undefined && { port }) });
    const ours = await startOneAndTwo((port) =>
      startGateway('gateway', lavagna.databaseUrl, place(port)),
    );
    const bare = await startOneAndTwo((port) => startBare(captured, place(port)));
    const contestants: [string, Server][] = [
      ['one gateway', ours.one],
      ['two gateways on one port', ours.pair],
      ['one bare uWebSockets.js', bare.one],
      ['two bare uWebSockets.js on one port', bare.pair],
    ];
    try {
      const rows = await compare(
        contestants.map(([name, server]) => ({
          name,
          server,
          job: cannon(server.port, [{ path, headers }], size.seconds),
        })),
      );
      const [one, two, oneBare, twoBare] = rows;
      const text = 'CPU for a request with two gateways ÷ with one';
      const goals = one && two ? [{ text, measured: costRatio(two, one), atMost: 1.1 }] : [];
      // What the machine makes of two processes, whatever they do.
      const plain = oneBare && twoBare ? costRatio(twoBare, oneBare).toFixed(2) : '';
      const facts: [string, string][] = [['the same ratio of bare uWebSockets.js', plain]];
      const cores = availableParallelism();
      const short = `With ${cores} cores the load takes from the servers: compare the CPU time.`;
      const note = cores < CORES_FOR_ALL ? { note: short } : {};
      return [{ title: 'One gateway and two, /menu, br', ...note, rows, facts, goals }];
    } finally {
      await Promise.all(contestants.map(([, server]) => server.stop()));
    }
  },
};
