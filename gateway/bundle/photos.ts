import type { Db } from '../../db/postgres/sql.ts';
import { parseMediaName } from '../../db/schema/photo.ts';
import { findMedia, measureMedia } from '../../db/sql/photos.ts';

/** Widths of photos on a wall, the first for choice, in pixels. */
const WIDTHS = [960, 640, 480, 320];

/** The forms of a photo in a document: its paths below `/media/` by their widths. */
type PhotoForms = readonly { path: string; width: number }[];

const PICTURE = /<picture>.*?(<img [^>]*>)<\/picture>/gs;
const SRCSET = / srcset="([^"]*)"/;

/** The forms that the `srcset` of a picture has. */
function formsOf(image: string): PhotoForms {
  const [, set = ''] = SRCSET.exec(image) ?? [];
  return set.split(', ').flatMap((one) => {
    const [path = '', width = ''] = one.split(' ');
    return path.startsWith('/media/') ? [{ path, width: Number.parseInt(width, 10) }] : [];
  });
}

/** The pictures of a document in their order, each with its place there. */
export function* picturesIn(text: string) {
  for (const match of text.matchAll(PICTURE)) {
    const [{ length }, image = ''] = match;
    yield { at: match.index, length, image, forms: formsOf(image) };
  }
}

function nearest(forms: PhotoForms, width: number): string {
  const [best] = [...forms].sort(
    (one, other) => Math.abs(one.width - width) - Math.abs(other.width - width),
  );
  return best?.path ?? '';
}

const mediaOf = (path = '') => parseMediaName(path.slice('/media/'.length));

/**
 * Chooses a form of each photo so that all together have room: smaller ones when there are many, and
 * where even these are too many, the first ones.
 *
 * @returns the chosen path of each photo by the first path of its forms; others have no room
 */
export async function choosePhotos(
  db: Db,
  tenantId: number,
  photos: readonly PhotoForms[],
  room: number,
): Promise<Map<string, string>> {
  const byFirst = new Map(photos.flatMap((forms) => (forms[0] ? [[forms[0].path, forms]] : [])));
  const digests = [...byFirst.values()].flatMap(([first]) => mediaOf(first?.path)?.digest ?? []);
  const measured = await measureMedia(db, tenantId, digests, 'jpeg');
  const sizes = new Map(
    measured.map(({ digest, width, bytes }): [string, number] => [`${digest}/${width}`, bytes]),
  );
  const chosen = new Map<string, string>();
  for (const width of WIDTHS) {
    chosen.clear();
    let bytes = 0;
    let isWhole = true;
    for (const [first, forms] of byFirst as Map<string, PhotoForms>) {
      const path = nearest(forms, width);
      const media = mediaOf(path);
      const size = sizes.get(`${media?.digest}/${media?.width ?? 0}`) ?? 0;
      if (size === 0) continue;
      if (bytes + size > room) isWhole = false;
      else {
        chosen.set(first, path);
        bytes += size;
      }
    }
    if (isWhole) break;
  }
  return chosen;
}

/** The bytes of photos by their paths; one that has just gone is missing. */
export async function readPhotos(
  db: Db,
  tenantId: number,
  paths: Iterable<string>,
): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>();
  for (const path of new Set(paths)) {
    const name = mediaOf(path);
    const content = name && (await findMedia(db, tenantId, name));
    if (content) found.set(path, content);
  }
  return found;
}

/** A document with one small form of each photo; those that are not chosen are left out. */
export function* withChosenPhotos(
  text: string,
  chosen: ReadonlyMap<string, string>,
): Generator<void, string> {
  const parts: string[] = [];
  let end = 0;
  for (const { at, length, image, forms } of picturesIn(text)) {
    parts.push(text.slice(end, at));
    const path = chosen.get(forms[0]?.path ?? '');
    if (path !== undefined)
      parts.push(
        image
          .replace(SRCSET, '')
          .replace(/ sizes="[^"]*"/, '')
          .replace(/ loading="lazy"/, '')
          .replace(/ src="[^"]*"/, ` src="${path}"`),
      );
    end = at + length;
    yield;
  }
  parts.push(text.slice(end));
  return parts.join('').replace(/<img [^>]*src="https?:[^>]*>/g, '');
}
