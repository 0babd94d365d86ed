import { forFile } from './for-file.ts';
import { openWorkedService, type WorkedService } from './menu-service.ts';
import type { OwnParts } from './own-parts.ts';
import { addUser } from './panel.ts';

/** As `openWorkedService`, with the panel's user in each restaurant. */
export async function openPanelService(
  ...args: Parameters<typeof openWorkedService>
): Promise<WorkedService> {
  const service = await openWorkedService(...args);
  for (const id of service.ids.values()) await addUser(service.db, id);
  return service;
}

/** As `openPanelService`, shared with no other file or test. */
export const startPanelService = (
  restaurants: Parameters<typeof openPanelService>[0],
  own: OwnParts = {},
) => openPanelService(restaurants, { ...own, alone: true });

/** As `openPanelService`, stopped with the tests of the file. */
export const panelService = forFile(openPanelService);
