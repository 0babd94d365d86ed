import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AdminService, openAdminService } from './admin.ts';
import { forFile } from './for-file.ts';
import type { OwnParts } from './own-parts.ts';
import { addUser, signedIn, type Visitor } from './panel.ts';

/** A restaurant that takes tables by each of its doors: the API, the panel and the command line. */
export interface TableService extends AdminService {
  /** Signed in to the panel. */
  owner: Visitor;
  /** For the files that the command line reads. */
  folder: string;
}

export async function openTableService(own: OwnParts = {}): Promise<TableService> {
  const folder = await mkdtemp(join(tmpdir(), 'lavagna-tables-'));
  const service = await openAdminService(own);
  await addUser(service.db, service.tenantId);
  const { stop } = service;
  return Object.assign(service, {
    owner: await signedIn(service.client),
    folder,
    stop: async () => {
      await stop();
      await rm(folder, { recursive: true });
    },
  });
}

/** As `openTableService`, stopped with the tests of the file. */
export const tableService = forFile(openTableService);
