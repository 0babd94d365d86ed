import { availableParallelism } from 'node:os';
import { timedLoad } from '../load/job.ts';
import { capture } from '../measure/capture.ts';
import { BARE, type Server, startBare } from '../peers/peer.ts';
import { startGateway } from '../processes/lavagna.ts';
import { group, running } from '../processes/running.ts';
import { atMost, costRatio, type Finding } from '../result.ts';
import type { Scenario } from '../scenario.ts';

/** Cores that two gateways and the load need to run at the same time. */
const CORES_FOR_ALL = 3;
const isPinned = false;

type Start = (port?: number) => Promise<Server>;

/** One server on its own port, and two that share a port. */
async function startOneAndTwo(start: Start): Promise<{ one: Server; pair: Server }> {
  const [one, first] = await Promise.all([start(), start()]);
  const second = await start(first.port);
  const stop = async () => {
    await Promise.all([first.stop(), second.stop()]);
  };
  return { one, pair: running({ ...first, pids: [...first.pids, ...second.pids], stop }) };
}

/** CPU of a request with one gateway and with two on the same port, beside bare servers. */
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
    await using _servers = group(ours.one, ours.pair, bare.one, bare.pair);
    const candidates: [string, Server][] = [
      ['one gateway', ours.one],
      ['two gateways on one port', ours.pair],
      [`${BARE}, one process`, bare.one],
      [`${BARE}, two processes on one port`, bare.pair],
    ];
    const rows = await compare(
      candidates.map(([name, server]) => ({
        name,
        server,
        job: timedLoad(server.port, [{ path, headers }], size.seconds),
      })),
    );
    const [one, two, oneBare, twoBare] = rows;
    const finding: Finding = { title: 'One gateway and two, /menu, br', rows };
    if (one && two && oneBare && twoBare) {
      const text = 'CPU with two gateways ÷ with one, divided by the same ratio of bare servers';
      finding.goals = [atMost(text, costRatio(two, one) / costRatio(twoBare, oneBare), 1.05)];
    }
    const cores = availableParallelism();
    if (cores < CORES_FOR_ALL) {
      finding.note = `With ${cores} cores the load takes time from the servers: compare the CPU time.`;
    }
    return [finding];
  },
};
