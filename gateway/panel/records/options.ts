import { constants } from '../../../db/runtime/constants.ts';
import { referencesFrom } from '../../../db/schema/registry.ts';
import {
  listNamed,
  listPlainDishes,
  type NamedCollection,
} from '../../../db/sql/listed-records.ts';
import { listPhotos } from '../../../db/sql/photos.ts';
import type { TextKey } from '../../../db/texts/catalogues.ts';
import type { Desk } from '../desk.ts';
import type { Option } from '../forms/inputs.ts';
import { readSections, sectionOptions } from '../order/section-tree.ts';
import { nameIn } from '../texts/record-name.ts';
import { plannedOptions } from '../writes/planned-values.ts';
import type { Editor } from './editor.ts';

async function recordOptions(
  { db, request }: Desk,
  collection: NamedCollection,
): Promise<Option[]> {
  const found = await listNamed(db, collection, request.tenantId);
  return found.map(({ id, name }) => ({
    value: String(id),
    label: nameIn(name, request.language),
  }));
}

/** The latest photos of the restaurant, each with a small picture. */
async function photoOptions({ db, request }: Desk): Promise<Option[]> {
  const { say, tenantId, language } = request;
  const photos = await listPhotos(db, tenantId, constants.maxListedPhotos);
  return photos.map(({ id, alt, thumbnail }) => ({
    value: String(id),
    label: nameIn(alt, language) || say('photos.numbered', { n: id }),
    image: thumbnail,
  }));
}

/** The dishes that the courses of a set menu can name. */
async function dishOptions({ db, request }: Desk): Promise<Option[]> {
  const { tenantId, language } = request;
  const found = await listPlainDishes(db, tenantId, constants.maxListedDishes);
  return found.map(({ id, name }) => ({ value: String(id), label: nameIn(name, language) }));
}

async function optionsOf(desk: Desk, resource: string): Promise<Option[]> {
  if (resource === 'categories') return sectionOptions(desk, await readSections(desk));
  if (resource === 'photos') return photoOptions(desk);
  if (resource === 'items') return dishOptions(desk);
  return recordOptions(desk, resource as NamedCollection);
}

/** The words for a reference that names nothing. */
const NONE: Record<string, TextKey> = { parent_id: 'editor.top' };

/** The records that the references of a record may name, by field. */
export async function referenceOptions(
  desk: Desk,
  { record }: Editor,
): Promise<Record<string, Option[]>> {
  const { say } = desk.request;
  const options: Record<string, Option[]> = {};
  for (const { field, to, isNullable, isSingle } of referencesFrom(record)) {
    const present = await optionsOf(desk, to.resource);
    const found = [...present, ...plannedOptions(desk, to.resource)];
    const none = NONE[field] ?? (to.isUploaded ? 'photos.none' : 'editor.none');
    const isCourse = !isSingle && to.resource === 'items';
    options[field] = isNullable && !isCourse ? [{ value: '', label: say(none) }, ...found] : found;
  }
  return options;
}
