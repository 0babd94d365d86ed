import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import type { Database } from '../../postgres/connection.ts';
import { withBoss } from '../../queue/boss.ts';
import { sendUpload } from '../../queue/send-writes.ts';
import { constants } from '../../runtime/constants.ts';
import { OperatorError } from '../../runtime/operator-error.ts';
import { sniffPhoto } from '../../schema/photo.ts';
import { sayErrors } from '../../schema/validation/messages.ts';
import { newWriteId } from '../../schema/write.ts';
import { loadMenu, type StoredMenu } from '../../sql/menus.ts';
import { findKeptForm } from '../../sql/photos.ts';
import type { Context } from './command.ts';
import { awaitResult } from './import-menu.ts';

/** A file of such a folder: the digest of its content, as documents name photos, and its format. */
const FILE = /^([0-9a-f]{32})\.(avif|jpeg|png|webp)$/;

/** Of a document, all that names photos. */
const photosSchema = v.object({ photos: v.array(v.object({ external_id: v.string() })) });

const unreadable = (folder: string) => (error: Error) => {
  throw new OperatorError(`The folder ${folder} cannot be used: ${error.message}.`);
};

/** Writes the photos of a document into a folder, each under its digest; tells how many. */
export async function savePhotos(
  database: Database,
  tenantId: number,
  document: unknown,
  folder: string,
): Promise<number> {
  await mkdir(folder, { recursive: true }).catch(unreadable(folder));
  const { photos } = v.parse(photosSchema, document);
  for (const { external_id: digest } of photos) {
    const kept = await findKeptForm(database, tenantId, digest);
    if (!kept) throw new OperatorError(`The photo ${digest} is gone: export again.`);
    const file = join(folder, `${digest}.${kept.format}`);
    await writeFile(file, kept.content).catch(unreadable(folder));
  }
  return photos.length;
}

/** The files of a folder that a document names and the restaurant lacks. */
async function missingFiles(menu: StoredMenu, document: Buffer, folder: string): Promise<string[]> {
  const files = (await readdir(folder).catch(unreadable(folder))) ?? [];
  let named: unknown;
  try {
    named = JSON.parse(document.toString());
  } catch {
    // The import says what is wrong.
    return [];
  }
  const parsed = v.safeParse(photosSchema, named);
  if (!parsed.success) return [];
  const wanted = new Set<unknown>(parsed.output.photos.map(({ external_id }) => external_id));
  for (const { external_id } of menu.photos) wanted.delete(external_id);
  return files.filter((file) => wanted.has(FILE.exec(file)?.[1] ?? ''));
}

/**
 * Uploads the photos that a document names and the restaurant lacks, one after the other, and says how
 * many these are.
 *
 * @throws {OperatorError} when a file cannot be read or is refused, or no worker has made its photo
 */
export async function uploadFolder(
  { database, databaseUrl, progressOf }: Pick<Context, 'database' | 'databaseUrl' | 'progressOf'>,
  tenantId: number,
  document: Buffer,
  folder: string,
): Promise<number> {
  const files = await missingFiles(await loadMenu(database, tenantId), document, folder);
  if (files.length === 0) return 0;
  await withBoss(databaseUrl, async (boss) => {
    for (const [index, file] of files.entries()) {
      const content = await readFile(join(folder, file)).catch(unreadable(folder));
      const isPhoto = content.length <= constants.maxPhotoBytes && 'type' in sniffPhoto(content);
      if (!isPhoto) throw new OperatorError(`The file ${file} is no photo that is taken.`);
      const key = { tenantId, id: newWriteId() };
      if (!(await sendUpload(boss, { ...key, tokenId: 0, content }))) {
        throw new OperatorError('Too many photos of the restaurant wait: try again later.');
      }
      const result = await awaitResult(database, key, constants);
      if (!result) throw new OperatorError(`No worker has made the photo ${file} in time.`);
      if (result.outcome.kind === 'invalid') {
        const [text] = Object.values(sayErrors(result.outcome.errors)).flat();
        throw new OperatorError(`The photo ${file} is refused: ${text}`);
      }
      progressOf('photos', index + 1, files.length);
    }
  });
  return files.length;
}
