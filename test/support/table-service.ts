import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAdminService } from './admin.ts';
import { forFile } from './for-file.ts';
import type { OwnParts } from './own-parts.ts';
import { addUser, signedIn } from './panel.ts';

export type TableService = Awaited<ReturnType<typeof openTableService>>;

/** A restaurant that takes tables by each of its doors: the API, the panel and the command line. */
export async function openTableService(own: OwnParts = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'lavagna-tables-'));
  const service = await openAdminService(own);
  await addUser(service.db, service.tenantId);
  const { stop } = service;
  return Object.assign(service, {
    /** Signed in to the panel. */
    owner: await signedIn(service.client),
    /** For the files that the command line reads. */
    folder,
    stop: async () => {
      await stop();
      await rm(folder, { recursive: true });
    },
  });
}

/** As `openTableService`, stopped with the tests of the file. */
export const tableService = forFile(openTableService);
