import { capture } from '../measure/capture.ts';
import type { Server } from '../peers/peer.ts';
import { startGateway, startLavagna } from '../processes/lavagna.ts';
import { withFolder } from '../processes/temporary-folder.ts';
import type { Scenario } from '../scenario.ts';

/** Seconds from the command to the first menu that arrives. */
async function timeStart(
  start: () => Promise<{ gateway: Server; stop(): Promise<void> }>,
): Promise<string> {
  const begun = performance.now();
  const running = await start();
  try {
    const { status } = await capture(running.gateway.port, '/api/v1/menu', {
      Host: 'trattoria.localhost',
    });
    if (!status.startsWith('200')) throw new Error(`the first answer was ${status}`);
    return `${((performance.now() - begun) / 1_000).toFixed(2)} s`;
  } finally {
    await running.stop();
  }
}

/** How long it takes from the command to the first answer. */
export const start: Scenario = {
  name: 'start',
  run: ({ lavagna, progress, size }) =>
    withFolder('start', async (dataDir) => {
      progress('npm start in an empty folder');
      const first = await timeStart(() => startLavagna(dataDir));
      const facts: [string, string][] = [
        ['npm start in an empty folder: Postgres made, migrated and planted', first],
      ];
      if (size.isThorough) {
        progress('npm start again');
        facts.push(['npm start again', await timeStart(() => startLavagna(dataDir))]);
      }
      progress('npm run gateway');
      const alone = await timeStart(async () => {
        const gateway = await startGateway('gateway', lavagna.databaseUrl);
        return { gateway, stop: gateway.stop };
      });
      facts.push(['npm run gateway beside a running Postgres', alone]);
      return [{ title: 'From the command to the first menu', facts }];
    }),
};
