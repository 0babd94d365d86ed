// Each change of one control in a form of the panel is stored, or refused with words. The changes are
// made from the forms as they stand, so that a new field or control takes part.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type OneChange, oneChanges } from '../support/form-controls.ts';
import { formOf } from '../support/page-forms.ts';
import { italian, signedIn } from '../support/panel.ts';
import { panelService } from '../support/panel-service.ts';
import { dishOf, restaurantOf, sectionOf, wineryOf } from '../support/restaurant.ts';
import { isThorough } from '../support/thorough.ts';

const FUTURE = '2099-05-06T19:30:00Z';
const full = dishOf('Barolo', {
  price: 40,
  type: 'Rossi',
  winery: 'Cascina',
  allergens: ['solfiti'],
  traces: ['latte'],
  variants: [
    { label: { it: 'Calice' }, price: 8 },
    { label: { it: 'Bottiglia' }, price: 40 },
  ],
  vintage: 2019,
  sold_out_until: FUTURE,
  photo_url: 'https://example.com/barolo.jpg',
} as Parameters<typeof dishOf>[1]);
const restaurant = {
  ...restaurantOf(
    'trattoria',
    [
      sectionOf('Primi', {
        types: [{ name: { it: 'Di mare' } }],
        dishes: [
          dishOf('Gricia', { price: 11, allergens: null as never }),
          dishOf('Acqua', { price: 2 }),
        ],
      }),
      sectionOf('Vini', {
        types: [{ name: { it: 'Rossi' } }],
        dishes: [full],
        time_visibility: { start: '18:00', end: '23:00' },
      }),
    ],
    {
      supported_locales: ['it', 'en'],
      opening_hours: [{ weekdays: [2, 3], time_start: '12:00', time_end: '15:00' }],
      closures: [{ date_start: '2098-08-10', date_end: '2098-08-20', text: { it: 'Ferie' } }],
    },
  ),
  wineries: [wineryOf('Cascina')],
};

const service = await panelService([restaurant], { constants: { maxPanelWrites: 100_000 } });
const visitor = await signedIn(service.client);
const { get, post } = visitor;
visitor.get = (path) => get(path, italian);
visitor.post = (path, fields) => post(path, fields, italian);

const idOf = async (table: string, name: string): Promise<number> => {
  const text = table === 'wineries' ? 'name' : `name ->> 'it'`;
  const rows = await service.sql(
    `select id from ${table} where ${text} = $1 order by id desc limit 1`,
    [name],
  );
  return rows[0].id;
};

/** Controls of a dish that refuse some values. One of an empty row leaves the row half empty. */
const REFUSES_IN_PART =
  '^(name\\.it|price|variants|courses|offers|origins|allergen_detail|category_id|type_id|winery_id\\.new)';

/** A value of the kind that the field takes. */
function valueFor(tag: string): string {
  const name = /name="([^"]*)"/.exec(tag)?.[1] ?? '';
  const type = /type="([^"]*)"/.exec(tag)?.[1] ?? '';
  const known: Record<string, string> = {
    ...{ email: 'due@trattoria.example', currency: 'CHF', timezone: 'Europe/Vienna' },
    ...{ vintage: '2001', kcal: '450', border_radius: '12px', font_family: 'Verdana, sans-serif' },
    ...{ embed_origins: 'https://www.example.com', country: 'Stati Uniti', region: 'US-CA' },
    ...{ cover_charge: '2,5', service_charge_percent: '10' },
    ...{ volume_ml: '330', abv_percent: '5,5', serves: '2' },
    external_id: 'altro-1',
  };
  const byType: Record<string, string> = {
    ...{ color: '#123456', time: '20:15', date: '2098-03-04' },
    'datetime-local': '2098-03-04T20:15',
  };
  if (known[name] !== undefined) return known[name];
  if (byType[type] !== undefined) return byType[type];
  if (/(^|\.)price$/.test(name)) return '17,5';
  if (/_urls?$|^website$/.test(name)) return 'https://example.com/altro';
  return `Altro ${name}`;
}

/** The values of one name, however the page writes them. */
function written(values: string | string[] | undefined): string {
  const texts = [values ?? []].flat().filter((text) => text !== '');
  const plain = texts.map((text) =>
    /^\d+,\d+$/.test(text) ? String(Number(text.replace(',', '.'))) : text.toUpperCase(),
  );
  return plain.sort().join('|');
}

/** The name under which a form keeps a value of a list: an empty object before it is left out. */
function keptName(form: Record<string, string | string[]>, name: string, value: string): string {
  const [, list, part] = /^(\w+)\.\d+\.(.+)$/.exec(name) ?? [];
  if (list === undefined) return name;
  const isOther = (other: string) => other.startsWith(`${list}.`) && other.endsWith(`.${part}`);
  const others = Object.keys(form).filter(
    (other) => isOther(other) && written(form[other]) === value,
  );
  return others.at(-1) ?? name;
}

/** The texts of a page's errors, which stand beside their fields. */
const errorsOf = (text: string) =>
  Array.from(text.matchAll(/id="f-[\w-]+-error">([^<]+)</g), ([, error = '']) => error);

/** The page’s answer to a change. */
interface Changed {
  /** The words of a refusal; null when it was stored. */
  refusal: string | null;
  /** The form afterwards. */
  form: ReturnType<typeof formOf>;
}

/** Changes one control. The page that says "saved" must show what was stored. */
async function change(path: string, { name, fields }: OneChange, kind: string): Promise<Changed> {
  const sent = await visitor.post(path, { ...fields, do: 'save' });
  if (sent.status === 422) {
    const errors = errorsOf(sent.text);
    assert.ok(errors.length > 0, `${path} ${name}: refused without a word`);
    const form = formOf(sent.text, kind);
    const kept = form[keptName(form, name, written(fields[name]))];
    assert.equal(written(kept), written(fields[name]), `${path} ${name}: what was typed is lost`);
    return { refusal: errors.join(' '), form };
  }
  assert.equal(sent.status, 303, `${path} ${name}: ${sent.status}`);
  const said = await visitor.get(sent.headers.location ?? '');
  assert.match(
    said.text,
    /salvato e già visibile|Le traduzioni sono salvate/,
    `${path} ${name}: not called saved`,
  );
  const form = formOf(said.text, kind);
  const value = written(fields[name]);
  const kept = form[keptName(form, name, value)];
  assert.equal(written(kept), value, `${path} ${name}: not stored`);
  return { refusal: null, form };
}

/** Fields of a form that no person fills in; `seen.` names the texts that translations were shown with. */
const HIDDEN = /^(form_token|form_id|etag|base|seen\..*)$/;
const hiddenOf = (form: ReturnType<typeof formOf>) =>
  Object.fromEntries(Object.entries(form).filter(([name]) => HIDDEN.test(name)));

/** Each change of one control of a page, and its refusal; the record is as before after each. */
async function tryAll(
  path: string,
  kind = 'editor',
  isTried = (_name: string): boolean => true,
): Promise<Map<string, string | null>> {
  const { text } = await visitor.get(path);
  const first = formOf(text, kind);
  const made = new Map<string, string | null>();
  for (const one of oneChanges(text, kind, valueFor)) {
    if (!isTried(one.name)) continue;
    // Of the free rows of a list one is enough.
    if (/^(opening_hours|closures|hours)\.[12]\./.test(one.name)) continue;
    // A kind without a country or an ingredient leaves the row empty.
    if (/^origins\.\d\.kind$/.test(one.name)) continue;
    // Its lines get into the texts by a button of their own, which saves nothing.
    if (one.name === 'pasted') continue;
    // It stands beside an empty text alone, and fills that.
    if (one.name.startsWith('same.')) continue;
    const opened = formOf((await visitor.get(path)).text, kind);
    const what = `${one.name}: ${one.what}`;
    const fields = { ...first, ...one.fields, ...hiddenOf(opened) };
    const { refusal, form } = await change(path, { ...one, fields }, kind);
    made.set(what, refusal);
    if (refusal !== null) continue;
    const back = Object.fromEntries(Object.keys(form).map((name) => [name, first[name] ?? []]));
    const before = { ...first, ...back, ...hiddenOf(form), do: 'save' };
    const restored = await visitor.post(path, before);
    assert.equal(restored.status, 303, `${what}: cannot be changed back`);
  }
  return made;
}

/** The words of changes that were refused, by control and value. */
function refused(made: Map<string, string | null>): Record<string, string> {
  return Object.fromEntries(
    [...made].flatMap(([what, refusal]) => (refusal === null ? [] : [[what, refusal]])),
  );
}

/** Asserts that the refused controls are among those that `mayRefuse` names. */
function assertOnly(words: Record<string, string>, mayRefuse: RegExp, why?: string): void {
  const others = Object.entries(words).filter(([what]) => !mayRefuse.test(what));
  assert.deepEqual(others, [], why);
}

test('a dish without a declaration: each control is stored, or refused with words', async (t) => {
  // The suite tries the other controls on the dish with everything alone.
  const isTried = (name: string) => isThorough || /^(allergen|sold_out|name|price)/.test(name);
  const path = `/admin/menu/items/${await idOf('dishes', 'Gricia')}`;
  const made = await tryAll(path, 'editor', isTried);
  t.diagnostic(`${made.size} changes`);
  const words = refused(made);
  assert.match(words['allergen.uova: contains'] ?? '', /è segnato «Non ancora dichiarati»/);
  assert.match(words['allergen.uova: may'] ?? '', /è segnato «Non ancora dichiarati»/);
  assert.match(words['allergens.rest: 1'] ?? '', /è segnato «Non ancora dichiarati»/);
  assert.match(words['allergens.declared: 1'] ?? '', /Manca la risposta per: Cereali/);
  assert.match(words['sold_out_until.at: 2098-03-04T20:15'] ?? '', /è scelta un’altra voce/);
  assert.match(words['sold_out_until: until'] ?? '', /Scrivi il giorno e l’ora/);
  assert.match(words['name.it: emptied'] ?? '', /Va compilato/);
  assert.match(words['price: emptied'] ?? '', /./);
  assert.match(words['price.none: 1'] ?? '', /Hai spuntato «Senza prezzo»/);
  assertOnly(words, new RegExp(`${REFUSES_IN_PART}|^(allergen|sold_out|price\\.none)`));
});

test('a dish with everything: each control is stored, or refused with words', async (t) => {
  const made = await tryAll(`/admin/menu/items/${await idOf('dishes', 'Barolo')}`);
  t.diagnostic(`${made.size} changes`);
  const words = refused(made);
  assert.match(words['price: 17,5'] ?? '', /Con i formati vale il prezzo più basso: 8,00/);
  assert.match(words['price: emptied'] ?? '', /Con i formati vale il prezzo più basso/);
  const mayRefuse = new RegExp(`${REFUSES_IN_PART}|^(sold_out_until\\.at: emptied|price\\.none)`);
  assertOnly(words, mayRefuse, 'a declaration is changed, and taken back, without a question');
});

const ofSections = /^(name\.it|hours|time_|date_|visible_|parent_id)/;
for (const [kind, table, name, mayRefuse] of [
  ['a section', 'sections', 'Primi', ofSections],
  ['a section with hours', 'sections', 'Vini', ofSections],
  ['a sub-category', 'types', 'Di mare', /^(name\.it|category_id)/],
  ['a winery', 'wineries', 'Cascina', /^name/],
] as const) {
  test(`${kind}: each control is stored, or refused with words`, async () => {
    const words = refused(await tryAll(`/admin/menu/${table}/${await idOf(table, name)}`));
    assertOnly(words, mayRefuse);
    if (name !== 'Primi') return;
    assert.match(words['hours.0.time_start: 20:15'] ?? '', /valgono solo se è spuntato/);
    assert.match(words['time_visibility_enabled: 1'] ?? '', /Va compilato/);
  });
}

for (const [path, mayRefuse] of [
  [
    '/admin/restaurant',
    /^(name|region|timezone|currency|\w+_locales?|(opening_hours|closures|special_hours)\.\d)/,
  ],
  ['/admin/appearance', /^(\w+_color|font_family|border_radius): emptied/],
] as const) {
  test(`${path}: each control is stored, or refused with words`, async () => {
    assertOnly(refused(await tryAll(path)), mayRefuse);
  });
}

test('/admin/translations: each text is stored', async (t) => {
  const made = await tryAll('/admin/translations?to=en', 'translations');
  t.diagnostic(`${made.size} changes`);
  assert.ok(made.size > 10);
  assert.deepEqual(refused(made), {});
});
