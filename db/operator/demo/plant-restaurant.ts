import * as v from 'valibot';
import { createdInSteps } from '../../history/difference.ts';
import type { Db } from '../../postgres/sql.ts';
import { inOneGo } from '../../runtime/in-slices.ts';
import type { Field } from '../../schema/field.ts';
import {
  defaultsOf,
  localizeInput,
  type RecordType,
  type Row,
  toStored,
} from '../../schema/record.ts';
import {
  type Collection,
  MENU_COLLECTIONS,
  records,
  referencesFrom,
  SINGLETONS,
} from '../../schema/registry.ts';
import { externalName } from '../../schema/values/record-id.ts';
import { rebuildSnapshots } from '../../snapshot/rebuild.ts';
import { updateRecord } from '../../sql/admin-records.ts';
import { saveBeginning } from '../../sql/history.ts';
import { insertMenu, type NewMenu } from '../../sql/menus.ts';
import { reserveIds } from '../../sql/records.ts';
import { createTenant } from '../../sql/tenants.ts';
import type { DemoDocument, DemoRestaurant } from './restaurant.ts';

type Entry = { external_id: string } & Row;
/** The id of each record by its `external_id`. */
type Ids = ReadonlyMap<string, number>;

function entriesOf(document: DemoDocument, collection: Collection): readonly Entry[] {
  const lists = document as unknown as Record<string, readonly Entry[]>;
  return lists[collection] ?? [];
}

function linksOf(
  record: RecordType,
  { settings }: DemoDocument,
  entry: Entry,
  ids: ReadonlyMap<string, Ids>,
): Row {
  const links = referencesFrom(record).flatMap(({ field, to, isSingle }) => {
    const idOf = (name: unknown) => {
      const id = ids.get(to.resource)?.get(String(name));
      if (id === undefined) {
        throw new Error(`${entry.external_id} names ${name}, which is not there`);
      }
      return id;
    };
    const name = entry[externalName(field)];
    if (isSingle) return [[field, name === undefined ? null : idOf(name)]];
    if (name === undefined) return [];
    return [
      [
        field,
        field === externalName(field)
          ? linkedCourses(name, idOf, settings.currency)
          : (name as unknown[]).map(idOf),
      ],
    ];
  });
  return Object.fromEntries(links);
}

/** Courses whose options name dishes by their ids, as a checked body has them. */
function linkedCourses(
  courses: unknown,
  idOf: (name: unknown) => number,
  currency: string | undefined,
): unknown {
  const option = ({ item_external_id: name, ...rest }: Row) =>
    name === undefined ? rest : { ...rest, item_id: idOf(name) };
  const linked = (courses as Row[]).map((course) => ({
    ...course,
    options: (course.options as Row[]).map(option),
  }));
  const { input } = records.items.fields.courses as Field;
  return v.parse(input as v.GenericSchema, linked, { lang: currency });
}

/** An entry's own fields as a checked body has them. */
function sentFields(record: RecordType, { settings }: DemoDocument, entry: Row): Row {
  const own = Object.entries<Field>(record.fields).flatMap(([name, field]) => {
    const { input, isTranslated, parts } = field;
    if (input === null || !(name in entry)) return [];
    // A menu that is planted may lack the Italian texts that bodies must have; settings and theme are
    // stored as they are, but for their lists.
    const isKept = isTranslated || (record.isSingleton && parts === undefined);
    return [
      [name, isKept ? entry[name] : v.parse(input, entry[name], { lang: settings.currency })],
    ];
  });
  return localizeInput(record, Object.fromEntries(own), settings.default_locale);
}

function fieldsOf(record: RecordType, document: DemoDocument, entry: Entry): Row {
  return { ...defaultsOf(record), ...sentFields(record, document, entry) };
}

function rowsOf(record: RecordType, document: DemoDocument, ids: ReadonlyMap<string, Ids>): Row[] {
  /** The next `display_order` within each parent. */
  const next = new Map<unknown, number>();
  return entriesOf(document, record.resource as Collection).map((entry) => {
    const links = linksOf(record, document, entry, ids);
    const parent = record.parent && links[record.parent];
    const place = next.get(parent) ?? 0;
    next.set(parent, place + 1);
    return {
      id: ids.get(record.resource)?.get(entry.external_id),
      ...('display_order' in record.fields && { display_order: place }),
      ...toStored(record, fieldsOf(record, document, entry)),
      ...links,
    };
  });
}

async function reserve(db: Db, document: DemoDocument): Promise<Map<string, Ids>> {
  const ids = new Map<string, Ids>();
  for (const collection of MENU_COLLECTIONS) {
    const entries = entriesOf(document, collection);
    const reserved = await reserveIds(db, records[collection].table as string, entries.length);
    ids.set(
      collection,
      new Map(entries.map(({ external_id }, index) => [external_id, reserved[index] as number])),
    );
  }
  return ids;
}

async function arrange(db: Db, document: DemoDocument): Promise<NewMenu> {
  const ids = await reserve(db, document);
  const lists = MENU_COLLECTIONS.map((collection) => {
    const record = records[collection];
    return [record.table, rowsOf(record, document, ids)];
  });
  return Object.fromEntries(lists);
}

/**
 * Creates a tenant with its whole menu and its snapshots, and returns its id, or null when its slug
 * is taken. It belongs in a transaction.
 */
export async function plantRestaurant(db: Db, restaurant: DemoRestaurant): Promise<number | null> {
  const { slug, settings } = restaurant;
  const tenantId = await createTenant(db, {
    slug,
    name: settings.name,
    defaultLocale: settings.default_locale,
    supportedLocales: settings.supported_locales,
    timezone: settings.timezone,
  });
  if (tenantId === null) return null;
  for (const resource of SINGLETONS) {
    const input = sentFields(records[resource], restaurant, restaurant[resource]);
    await updateRecord(db, resource, tenantId, null, input);
  }
  await insertMenu(db, tenantId, await arrange(db, restaurant));
  const menu = await rebuildSnapshots(db, tenantId);
  await saveBeginning(db, tenantId, inOneGo(createdInSteps(menu)));
  return tenantId;
}
