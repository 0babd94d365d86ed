import { capture } from '../measure/capture.ts';
import type { Server } from '../peers/peer.ts';
import { startGateway, startLavagna } from '../processes/lavagna.ts';
import { withFolder } from '../processes/temporary-folder.ts';
import type { Figure } from '../result.ts';
import type { Scenario } from '../scenario.ts';

async function timeStart(
  start: () => Promise<{ gateway: Server; stop(): Promise<void> }>,
): Promise<number> {
  const startedAt = performance.now();
  const running = await start();
  try {
    const { status } = await capture(running.gateway.port, '/api/v1/menu', {
      Host: 'trattoria.localhost',
    });
    if (!status.startsWith('200')) throw new Error(`the first answer was ${status}`);
    return (performance.now() - startedAt) / 1_000;
  } finally {
    await running.stop();
  }
}

/** Seconds from the command to the first menu. */
export const start: Scenario = {
  name: 'start',
  run: ({ lavagna, progress, size }) =>
    withFolder('start', async (dataDir) => {
      const figures: Figure[] = [];
      const measure = async (name: string, launch: Parameters<typeof timeStart>[0]) => {
        progress(name);
        figures.push({ name, unit: 's', median: await timeStart(launch) });
      };
      await measure('npm start in an empty folder', () => startLavagna(dataDir));
      if (size.isThorough) await measure('npm start again', () => startLavagna(dataDir));
      await measure('npm run gateway beside a running Postgres', async () => {
        const gateway = await startGateway('gateway', lavagna.databaseUrl);
        return { gateway, stop: gateway.stop };
      });
      return [{ title: 'From the command to the first menu', figures }];
    }),
};
