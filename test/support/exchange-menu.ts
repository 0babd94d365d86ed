import fc from 'fast-check';
import type { OutOptions } from '../../db/exchange/report.ts';
import { DOCUMENT_ORDER } from '../../db/schema/bulk.ts';
import { records, referencesFrom } from '../../db/schema/registry.ts';
import { externalName } from '../../db/schema/values/record-id.ts';
import { expectedRow, type RandomMenu, type Row, randomMenu } from './random-menu.ts';

// Random menus as exports have them, with ids and references by ids.

export const AT = new Date('2026-11-28T12:00:00Z');
export const OUT: OutOptions = {
  locale: null,
  at: AT,
  vatFood: 10,
  vatDrinks: 22,
  origin: 'https://trattoria.example',
  photoPaths: new Map([
    [1, `/media/${'a'.repeat(32)}-1280.jpeg`],
    [2, `/media/${'b'.repeat(32)}-1280.jpeg`],
  ]),
};

const lists = ['categories', 'types', 'wineries', 'modifier_groups', 'items'] as const;

/** The place of the record of each list that may be hidden: of others guests see all. */
const HIDDEN = 3;

function shown(list: (typeof lists)[number]): Row {
  if (list === 'wineries' || list === 'modifier_groups') return {};
  const moments = { visible_from: null, visible_until: null };
  return { is_active: true, ...(list !== 'types' && moments) };
}

/** Names that differ, for services that know records by nothing else. */
function numbered(name: unknown, id: number): unknown {
  if (typeof name !== 'object' || name === null) return name;
  return Object.fromEntries(Object.entries(name).map(([code, text]) => [code, `${text} ${id}`]));
}

/** Records of a list with ids, and with the ids of those that they name. */
function exported(menu: RandomMenu): Row {
  const idOf = new Map<unknown, number>();
  for (const name of lists) {
    for (const [at, { external_id }] of menu[name].entries()) idOf.set(external_id, at + 1);
  }
  const rows = (name: (typeof lists)[number]) =>
    menu[name].map((sent, at) => {
      const row = expectedRow(name, sent, undefined);
      const references = referencesFrom(records[name]).map(({ field }) => {
        const key = sent[externalName(field)];
        if (field === 'courses') return [field, row[field] ?? []] as const;
        const id = Array.isArray(key) ? key.map((one) => idOf.get(one)) : (idOf.get(key) ?? null);
        return [field, id] as const;
      });
      // Some records have no key of their own.
      const external_id = at % 3 === 2 ? null : sent.external_id;
      return {
        ...{ ...row, ...Object.fromEntries(references), id: at + 1, external_id },
        name: numbered(row.name, at + 1),
        ...(at !== HIDDEN && shown(name)),
      };
    });
  const settings = expectedRow('settings', menu.settings, undefined);
  return {
    format: menu.format,
    settings: { ...settings, slug: 'trattoria', name: settings.name || 'Da Ada' },
    ...Object.fromEntries(DOCUMENT_ORDER.map((name) => [name, []])),
    ...Object.fromEntries(lists.map((name) => [name, rows(name)])),
  };
}

const courseOption = fc.record({
  label: fc.constantFrom<Row>({ it: 'Pasta' }, { it: 'Riso', en: 'Rice' }),
  dish: fc.nat(7),
  surcharge: fc.constantFrom(0, 2.5),
});
const courses = fc.array(
  fc.record({
    label: fc.constantFrom({ it: 'Primo' }, { it: 'Secondo', en: 'Main course' }),
    choose: fc.constant(1),
    options: fc.array(courseOption, { minLength: 1, maxLength: 3 }),
  }),
  { maxLength: 2 },
);

const photos = fc.tuple(
  ...[...OUT.photoPaths.keys()].map((id) =>
    fc.record({
      ...{ id: fc.constant(id), external_id: fc.constant(`photo-${id}`) },
      alt: fc.constantFrom<Row>({}, { it: 'Un piatto' }),
      focus_x: fc.constantFrom(50, 20),
      focus_y: fc.constant(50),
    }),
  ),
);

/** A menu as `exportMenu` gives it; one of its dishes may be a set menu, and some have photos. */
export const exportedMenu: fc.Arbitrary<Row> = fc
  .record({ menu: randomMenu, courses, photos, chosen: fc.nat(5) })
  .map(({ menu, courses: given, photos: pictures, chosen }) => {
    const document = exported(menu);
    const items = document.items as Row[];
    document.photos = pictures;
    document.theme = expectedRow('theme', menu.theme, undefined);
    for (const [at, item] of items.entries()) {
      item.photo_id = at % 3 === 0 ? pictures[(at / 3) % pictures.length]?.id : null;
    }
    const own = items[chosen];
    if (!own) return document;
    own.courses = given.map((course) => ({
      ...course,
      options: course.options.map(({ label, dish, surcharge }) => {
        const named = items[dish];
        const item_id = named && named !== own ? named.id : null;
        return { item_id, label: item_id === null ? label : {}, surcharge };
      }),
    }));
    return document;
  });
