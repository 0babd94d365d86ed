import { LRUCache } from 'lru-cache';
import type { Db } from '../../db/postgres/sql.ts';
import { constants } from '../../db/runtime/constants.ts';
import { entityTag } from '../../db/runtime/entity-tag.ts';
import { PHOTO_TYPES, parseMediaName } from '../../db/schema/photo.ts';
import { findMedia } from '../../db/sql/photos.ts';
import { NotFoundError, unavailable } from '../http/errors.ts';
import {
  createForm,
  prepareRepresentations,
  type Representations,
  selectAnswer,
} from '../http/representations.ts';
import { isLater } from '../pipeline/later.ts';
import type { HotRestaurantRoute } from '../pipeline/route.ts';
import { createMaker } from '../runtime/maker.ts';

/** Objects and header lines of one file in memory, in bytes. */
const BYTES_PER_FILE = 2_048;

/** The name holds the digest, so its content never changes; every site may show it. */
function formOf(type: string) {
  return createForm('public, max-age=31536000, immutable', {
    'Content-Type': type,
    'Access-Control-Allow-Origin': '*',
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Content-Security-Policy': "default-src 'none'",
  });
}

const forms = {
  avif: formOf(PHOTO_TYPES.avif),
  webp: formOf(PHOTO_TYPES.webp),
  jpeg: formOf(PHOTO_TYPES.jpeg),
};

export type MediaCache = ReturnType<typeof createMediaCache>;

/**
 * The photos in memory. They never take from the memory of menus.
 *
 * @param maxBytes bound of the memory
 */
export function createMediaCache(db: Db, maxBytes: number) {
  const files = new LRUCache<string, Representations>({
    maxSize: maxBytes,
    // A photo that was deleted is gone after this.
    ttl: constants.mediaTtl,
    sizeCalculation: ({ identity }) => identity.length + BYTES_PER_FILE,
  });
  const once = createMaker<Representations>(files);

  const load = async (tenantId: number, name: string) => {
    const parsed = parseMediaName(name);
    if (!parsed) throw new NotFoundError();
    const found = findMedia(db, tenantId, parsed);
    const content = await found.catch(unavailable('could not read a photo'));
    if (!content) throw new NotFoundError();
    const body = { etag: entityTag(name), identity: content };
    return prepareRepresentations(body, forms[parsed.format]);
  };

  return {
    /** A file of a restaurant's photo, at once when it is held. @throws NotFoundError, UnavailableError */
    find: (tenantId: number, name: string) =>
      once(`${tenantId}/${name}`, () => load(tenantId, name)),
    stats: () => ({ bytes: files.calculatedSize, files: files.size }),
  };
}

/** `/media/…`: the files of a restaurant's photos. */
export function mediaRoute(cache: MediaCache): HotRestaurantRoute {
  return {
    kind: 'restaurant',
    method: 'GET',
    isHot: true,
    path: '/media/:name',
    call: (request, name, tenantId) => {
      const file = cache.find(tenantId, name);
      if (isLater(file)) return file.then((found) => selectAnswer(found, request));
      return selectAnswer(file, request);
    },
  };
}
