import { pathOf, records } from '../../db/schema/registry.ts';
import type { Collection } from '../../db/schema/values/resource.ts';
import { bodyExample } from '../../gateway/openapi/schemas.ts';
import { picture } from './pictures.ts';

/** Bodies that say more than the declared examples, or name records that are there. */
const bodies: Partial<Record<Collection, Record<string, unknown>>> = {
  categories: { name: { it: 'Dolci', de: 'Süßes' }, time_start: '12:00', time_end: '15:00' },
  items: { category_id: 1, name: { it: 'Tiramisù' }, price: '5.50', allergens: ['uova'] },
  types: { category_id: 1, name: { it: 'Misti' } },
  wineries: {
    name: 'Skerk',
    website: 'https://skerk.example',
    description: { it: 'Nel Carso', de: 'Im Karst' },
  },
};

/** A body that creates a record of a collection. */
function newRecord(collection: Collection): Record<string, unknown> {
  return bodies[collection] ?? bodyExample(collection);
}

/** The path of a collection's records. */
export const pathTo = (collection: Collection) => `/admin/${pathOf(collection)}`;

let pictures = 0;

/** A request's body that creates a record, and its headers: a photo is a picture, another one each time. */
export async function newBody(
  collection: Collection,
): Promise<[body: unknown, headers: Record<string, string>]> {
  if (!records[collection].isUploaded) return [newRecord(collection), {}];
  pictures += 1;
  return [
    await picture({ width: 40, height: 30, seed: pictures }),
    { 'Content-Type': 'image/jpeg' },
  ];
}

/** The text that a record must have, as one body gives it. */
export function nameOf(collection: Collection): Record<string, unknown> {
  if (records[collection].isUploaded) return { alt: { it: 'Nuovo' } };
  const fields = Object.entries(records[collection].fields);
  const [name = '', field] = fields.find(([, one]) => one.isRequired && one.kind === 'text') ?? [];
  return { [name]: field?.isTranslated ? { it: 'Nuovo' } : 'Nuovo' };
}

/** A record that was read, as a body that changes nothing. */
export function writtenBack(collection: Collection, data: Record<string, unknown>) {
  const fields = Object.entries(records[collection].fields);
  const texts = fields.filter(([, { isTranslated }]) => isTranslated);
  const maps = texts.map(([name]) => [name, data[`${name}_translations`]]);
  return { ...data, ...Object.fromEntries(maps) };
}
