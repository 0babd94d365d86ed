import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAdminService, smallRestaurant } from './admin.ts';
import { callCli } from './cli.ts';
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
    /** Lets the command line import a file with this content. */
    importFile: async (content: string | Buffer, args: string[] = [], name = 'menu.csv') => {
      const path = join(folder, name);
      await writeFile(path, content);
      const command = ['menu', 'import', smallRestaurant.slug, path, ...args];
      return callCli(command, { DATABASE_URL: service.databaseUrl });
    },
    stop: async () => {
      await stop();
      await rm(folder, { recursive: true });
    },
  });
}

/** As `openTableService`, stopped with the tests of the file. */
export const tableService = forFile(openTableService);
