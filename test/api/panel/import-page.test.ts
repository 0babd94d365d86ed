// The page on which an owner imports and exports a menu.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { adminService } from '../../support/admin.ts';
import { addUser, createVisitor, signedIn } from '../../support/panel.ts';
import { inOneLine } from '../../support/written-statements.ts';

const PATH = '/admin/import';
const EXPORT = `${PATH}/export`;
const english = { 'Accept-Language': 'en' };

const service = await adminService();
await addUser(service.db, service.tenantId);
const owner = await signedIn(service.client);

type Row = Record<string, unknown>;
type Menu = Record<'items' | 'categories' | 'types' | 'wineries', Row[]> & { format: string };

const exported = async (): Promise<Menu> => JSON.parse((await owner.get(EXPORT)).text);
const nameOf = (name: string) => ({ it: name });

/** Shows a file: a text, or what a document has beside its format. */
async function show(
  file: string | object,
  fields: Record<string, string> = {},
  name = 'menu.json',
) {
  await owner.get(PATH);
  const document = (parts: object) => JSON.stringify({ format: 'lavagna-menu/1', ...parts });
  const bytes = Buffer.from(typeof file === 'string' ? file : document(file));
  return owner.upload(PATH, { do: 'show', ...fields }, { name, bytes }, english);
}
const apply = () => owner.upload(PATH, { do: 'apply' }, null, english);
const follow = async ({ headers }: { headers: Record<string, string> }) =>
  (await owner.get(headers.location ?? '', english)).text;
const canApply = (text: string) => text.includes('value="apply"');

/** The numbers above a diff. */
function counts(text: string): Record<string, number> {
  const found = text.matchAll(/<li class="(\w+)"><strong>(\d+)<\/strong>/g);
  return Object.fromEntries(Array.from(found, ([, name = '', count]) => [name, Number(count)]));
}
/** The headings of a diff's records, without tags. */
function headings(text: string): string[] {
  const diff = text.slice(text.indexOf('class="card part diff'));
  const found = diff.matchAll(/<h3>(.*?)<\/h3>/g);
  return Array.from(found, ([, heading = '']) => inOneLine(heading.replace(/<[^>]*>/g, '')));
}

describe('export', () => {
  test('the document and the table are files that are named for the restaurant and the day', async () => {
    const json = await owner.get(EXPORT);
    assert.match(
      json.headers['content-disposition'] ?? '',
      /filename="osteria-\d{4}-\d\d-\d\d\.json"/,
    );
    assert.equal(json.json.format, 'lavagna-menu/1');
    const csv = await owner.get(`${EXPORT}?format=csv`);
    assert.match(csv.headers['content-disposition'] ?? '', /filename="osteria-[\d-]+\.csv"/);
    assert.match(csv.headers['content-type'] ?? '', /^text\/csv; charset=utf-8/);
  });

  test('the table has the form that Excel reads in the language of the page', async () => {
    for (const [language, header, price] of [
      ['it', /^\ufeffid;external_id;/, /;4,5;/],
      ['en', /^\ufeffid,external_id,/, /,4\.5,/],
    ] as const) {
      const table = await owner.get(`${EXPORT}?format=csv`, { 'Accept-Language': language });
      const page = (await show(table.shows(header, price).text, {}, 'menu.csv')).expect(200);
      assert.deepEqual(counts(page.text), { created: 0, updated: 0, deleted: 0, unchanged: 5 });
      assert.ok(!canApply(page.text));
      page.shows(/there is nothing to apply/);
    }
  });

  test('a stranger is sent to sign in', async () => {
    const stranger = createVisitor(service.client);
    assert.equal((await stranger.get(EXPORT)).headers.location, `/admin/sign-in?next=${EXPORT}`);
  });
});

describe('diff', () => {
  test('nothing changes before it is applied, and then exactly what was shown', async () => {
    const menu = await exported();
    const gnocchi = menu.items.find(({ name }) => (name as Row).it === 'Gnocchi') as Row;
    const name = { it: 'Gnocchi', en: 'Dumplings' };
    Object.assign(gnocchi, { price: 12.5, allergens: ['latte', 'uova'], name });
    const { text } = await show(menu);
    assert.deepEqual(counts(text), { created: 0, updated: 1, deleted: 0, unchanged: 13 });
    assert.deepEqual(headings(text), ['Dish Dumplings in “Primi” changed']);
    assert.match(text, /<dt>Price<\/dt>.*<del>11\.00<\/del>.*<ins>12\.50<\/ins>/);
    assert.match(text, /<dt>Allergens<\/dt>.*<del>Milk<\/del>.*<ins>Milk, Eggs<\/ins>/);
    assert.match(text, /<dt>Name \(English\)<\/dt>.*>empty<.*<span lang="en">Dumplings<\/span>/);
    assert.doesNotMatch(text, /Name \(Italiano\)/);
    const price = async () => (await exported()).items.find(({ id }) => id === gnocchi.id)?.price;
    assert.equal(await price(), 11);
    const applied = (await apply()).expect(303);
    assert.match(await follow(applied), /New: 0, changed: 1, deleted: 0/);
    assert.equal(await price(), 12.5);
  });

  test('records stand in the order of the menu, and new ones are named in place of their ids', async () => {
    const page = await show({
      wineries: [{ external_id: 'w', name: 'Škerk' }],
      categories: [
        { external_id: 'bere', name: nameOf('Da bere'), menu_type: 'wine' },
        { external_id: 'dolci', name: nameOf('Dolci') },
        { external_id: 'gelati', name: nameOf('Gelati'), parent_external_id: 'dolci' },
      ],
      types: [{ external_id: 't', name: nameOf('Artigianali'), category_external_id: 'gelati' }],
      items: [
        {
          ...{ external_id: 'v', name: nameOf('Terrano'), price: 20 },
          ...{ category_external_id: 'bere', winery_external_id: 'w' },
        },
        {
          ...{ external_id: 'p', name: nameOf('Pistacchio'), price: 3 },
          ...{ category_external_id: 'gelati', type_external_id: 't' },
        },
        { external_id: 'c', name: nameOf('Crostata'), price: 5, category_external_id: 'dolci' },
      ],
    });
    assert.deepEqual(headings(page.text), [
      'Section Dolci new',
      'Dish Crostata in “Dolci” new',
      'Section Gelati in “Dolci” new',
      'Sub-category Artigianali in “Gelati” new',
      'Dish Pistacchio in “Gelati” new',
      'Section Da bere new',
      'Dish Terrano in “Da bere” new',
      'Winery Škerk new',
    ]);
    page.shows(/<dt>Winery<\/dt><dd>Škerk<\/dd>/, /<dt>Sub-category<\/dt><dd>Artigianali<\/dd>/);
    assert.match(await follow(await apply()), /New: 8, changed: 0, deleted: 0/);
    const moved = await show({
      categories: [{ external_id: 'torte', name: nameOf('Torte') }],
      items: [{ external_id: 'c', category_external_id: 'torte' }],
    });
    moved.shows(/<dt>Section<\/dt>.*<del>Dolci<\/del>.*<ins>Torte<\/ins>/);
  });

  test('deletes by absence only when that is ticked, and names all that would go', async () => {
    const menu = await exported();
    const kept = menu.categories.filter(
      ({ external_id }) => external_id !== 'dolci' && external_id !== 'gelati',
    );
    const rest = { ...menu, categories: kept, items: undefined, types: undefined };
    assert.equal(counts((await show(rest)).text).deleted, 0);
    const page = await show(rest, { delete_missing: '1' });
    assert.equal(counts(page.text).deleted, 5);
    const [, list = ''] = /diff deleted">(.*?)<\/section>/s.exec(page.text) ?? [];
    const names = Array.from(list.matchAll(/<bdi>(.*?)<\/bdi>/g), ([, name]) => name);
    assert.deepEqual(names, ['Dolci', 'Crostata', 'Gelati', 'Artigianali', 'Pistacchio']);
    const before = (await exported()).items.length;
    assert.match(await follow(await apply()), /deleted: 5/);
    assert.equal((await exported()).items.length, before - 2);
  });

  test('is bounded, and everything is counted', async () => {
    const items = Array.from({ length: 230 }, (_, index) => ({
      ...{ external_id: `n${index}`, name: nameOf(`Piatto ${index}`), price: index },
      category_external_id: 'tanti',
    }));
    const categories = [{ external_id: 'tanti', name: nameOf('Tanti') }];
    const page = await show({ categories, items });
    assert.equal(counts(page.text).created, 231);
    assert.equal(headings(page.text).length, 200);
    page.shows(/Not shown here: 31 more\./);
    assert.match(await follow(await apply()), /New: 231/);
    const { categories: all } = await exported();
    const others = all.filter(({ external_id }) => external_id !== 'tanti');
    await show({ categories: others }, { delete_missing: '1' });
    assert.match(await follow(await apply()), /deleted: 231/);
  });

  test('texts that take much room make it shorter', async () => {
    const description = Object.fromEntries(
      ['it', 'en', 'fr', 'de', 'es'].map((locale) => [locale, 'è'.repeat(2_000)]),
    );
    const items = Array.from({ length: 60 }, (_, index) => ({
      ...{ external_id: `l${index}`, name: nameOf(`Lungo ${index}`), description, price: 1 },
      category_external_id: 'lunghi',
    }));
    const categories = [{ external_id: 'lunghi', name: nameOf('Lunghi') }];
    const page = await show({ categories, items });
    assert.equal(counts(page.text).created, 61);
    const shown = headings(page.text).length;
    assert.ok(shown > 20 && shown < 30, `${shown} are shown`);
    page.shows(new RegExp(`Not shown here: ${61 - shown} more`));
    assert.ok(page.body.length < 1_000_000, `${page.body.length} bytes`);
  });

  test('settings and theme are named, and fields without a meaning are told', async () => {
    const page = await show({
      settings: { phone: '+39 040 1' },
      theme: { primary_color: '#112233' },
      piatti: [],
      items: [],
    });
    assert.deepEqual(headings(page.text), ['Restaurant changed', 'Appearance changed']);
    page.shows(/are ignored: piatti\./);
  });

  test('names are text, whatever they hold', async () => {
    const evil = `<script>alert(1)</script>"'><img src=x onerror=alert(2)>`;
    const document = {
      [`<b>${evil}`]: 1,
      categories: [{ external_id: 'x', name: nameOf(evil) }],
      items: [
        {
          ...{ external_id: 'y', name: nameOf(evil), description: nameOf(evil) },
          ...{ price: 1, category_external_id: 'x' },
        },
        { external_id: 'z', name: nameOf(evil), price: 'caro', category_external_id: evil },
      ],
    };
    const page = await show(document, {}, `${evil}.json`);
    page.shows('&lt;script&gt;alert(1)&lt;/script&gt;');
    const main = page.text.slice(page.text.indexOf('<main'), page.text.indexOf('</main>'));
    assert.doesNotMatch(main, /<script|<img|<b>/);
    assert.equal(counts(page.text).failed, 1);
  });

  test('a text may be pasted instead of a file', async () => {
    await owner.get(PATH);
    const text = 'external_id;name_it;price\r\nnessuno;Nuovo;3,50\r\n';
    const none = { name: '', bytes: Buffer.alloc(0) };
    const page = await owner.upload(PATH, { do: 'show', text }, none, english);
    page.shows(/row 2.*Nuovo/, /<strong>Section:<\/strong> This is missing/);
  });

  test('a text beside a file is refused, and stands on the page again', async () => {
    await owner.get(PATH);
    const file = { name: 'menu.csv', bytes: Buffer.from('external_id;name_it\r\n') };
    const fields = { do: 'show', text: '\n<b>Carbonara</b>' };
    const page = (await owner.upload(PATH, fields, file, english)).expect(422);
    page.shows(/keep only one of them/);
    page.shows(/<textarea [^>]*>\n\r?\n&lt;b&gt;Carbonara&lt;\/b&gt;<\/textarea>/);
  });
});
