import type { Constants } from '../../db/runtime/constants.ts';
import { forFile } from './for-file.ts';
import { type MenuService, startMenuService } from './menu-service.ts';
import { addUser } from './panel.ts';
import { startTestWorker } from './worker.ts';

/** As `startMenuService`, with a worker and with the panel's user in each restaurant. */
export async function startPanelService(
  restaurants: Parameters<typeof startMenuService>[0],
  changed: Partial<Constants> = {},
  workerEnv: Record<string, string> = {},
): Promise<MenuService> {
  const service = await startMenuService(restaurants, {}, changed);
  const worker = await startTestWorker(service.databaseUrl, workerEnv);
  for (const at of restaurants.keys()) await addUser(service.db, service.tenantId + at);
  return {
    ...service,
    stop: async () => {
      await worker.stop();
      await service.stop();
    },
  };
}

/** The same, stopped with the tests of the file. */
export const panelService = forFile(startPanelService);
