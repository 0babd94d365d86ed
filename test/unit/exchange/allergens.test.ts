// Allergens in exchanges: they are never guessed.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { exportAs } from '../../../db/exchange/exports.ts';
import { importFrom } from '../../../db/exchange/imports.ts';
import type { ExchangeImport, InOptions } from '../../../db/exchange/in-menu.ts';
import { inOneGo } from '../../../db/runtime/in-slices.ts';
import { allergens } from '../../../db/schema/dictionary.ts';
import type { ExportTarget, ImportFormat } from '../../../db/schema/exchange-report.ts';
import { defaultsOf } from '../../../db/schema/record.ts';
import { records } from '../../../db/schema/registry.ts';
import { AT, OUT } from '../../support/exchange-menu.ts';

type Row = Record<string, unknown>;

const IN: InOptions = {
  ...{ at: AT, slug: 'vuoto', currency: 'EUR', locale: 'it', fallback: 'it' },
  find: () => undefined,
  named: () => [],
};

const SERVICES = ['google', 'uber', 'square', 'deliverect', 'otter'] as const;

/** A menu of one dish. */
function menuOf(fields: Row): Row {
  const dish = { ...defaultsOf(records.items), allergens: null, photo_url: null, ...fields };
  return {
    settings: {
      ...{ slug: 'trattoria', name: 'Da Ada', currency: 'EUR', default_locale: 'it' },
      ...{ fallback_locale: 'it', supported_locales: ['it'], opening_hours: [] },
    },
    categories: [{ ...defaultsOf(records.categories), id: 1, name: { it: 'Primi' } }],
    items: [{ ...dish, id: 7, category_id: 1, name: { it: 'Gricia' }, price: 12 }],
  };
}

/** The first dish of an import. */
function firstDish(imported: ExchangeImport | null): Row {
  const [dish] = (imported as ExchangeImport).document.items as [Row];
  return dish;
}

const out = (target: ExportTarget, fields: Row) => inOneGo(exportAs(target, menuOf(fields), OUT));

function back(target: Exclude<ExportTarget, 'schema'>, fields: Row) {
  const { document } = out(target, fields);
  const imported = inOneGo(importFrom(target, JSON.parse(JSON.stringify(document)), IN));
  return firstDish(imported);
}

function googleAllergens(fields: Row): unknown {
  const { document } = out('google', fields);
  const [menu] = document.menus as { sections: { items: { attributes: Row }[] }[] }[];
  return menu?.sections[0]?.items[0]?.attributes.allergen;
}

/** The dish of a document of Google with these allergens; `present` is the one that is there. */
function fromGoogle(allergen: string[], present?: Row) {
  const labels = (displayName: string) => [{ displayName, languageCode: 'it' }];
  const price = { currencyCode: 'EUR', units: '12' };
  const item = { labels: labels('Zuppa'), attributes: { price, allergen } };
  const sections = [{ labels: labels('Primi'), items: [item] }];
  const menu = { menus: [{ sections }] };
  const there = present && {
    find: () => present as never,
    named: (kind: string) => (kind === 'items' ? [present as never] : []),
  };
  const imported = inOneGo(importFrom('google', menu, { ...IN, ...there }));
  return { dish: firstDish(imported), report: imported?.report };
}

describe('allergens of exchanges', () => {
  /** Asserts that such allergens come back as no declaration, and that the export says why. */
  const assertNamed = (target: (typeof SERVICES)[number], given: null | [], reason: string) => {
    assert.equal('allergens' in back(target, { allergens: given }), false);
    const { lossy } = out(target, { allergens: given }).report;
    assert.ok(lossy.some(({ field, why }) => field === 'allergens' && why === reason));
  };
  for (const target of SERVICES) {
    test(`${target}, a dish without a declaration comes back without one`, () => {
      assertNamed(target, null, 'undeclared');
    });
  }

  for (const target of ['google', 'uber', 'square', 'deliverect'] as const) {
    test(`${target}, “contains none” is named and comes back as no declaration`, () => {
      assertNamed(target, [], 'noneLeftOut');
    });
  }

  test('otter, “contains none” comes back, and with traces it does not', () => {
    assert.deepEqual(back('otter', { allergens: [] }).allergens, []);
    assert.equal('allergens' in back('otter', { allergens: [], traces: ['latte'] }), false);
  });

  for (const target of ['uber', 'square', 'deliverect', 'otter'] as const) {
    test(`${target}, all 14 allergens come back`, () => {
      const all = [...allergens.keys];
      const found = back(target, { allergens: all }).allergens as string[];
      assert.deepEqual(new Set(found), new Set(all));
    });
  }

  test('google, wheat is sent only where the grain is declared', () => {
    const gluten = { allergens: ['cereali_glutine'] };
    assert.equal(googleAllergens(gluten), undefined);
    assert.equal(googleAllergens({ ...gluten, allergen_detail: ['segale', 'farro'] }), undefined);
    assert.deepEqual(googleAllergens({ ...gluten, allergen_detail: ['grano'] }), ['WHEAT']);
    const traces = { allergens: [], traces: ['cereali_glutine'], allergen_detail: ['grano'] };
    assert.equal(googleAllergens(traces), undefined);
  });

  test('google, SHELLFISH declares nothing and is named', () => {
    const { dish, report } = fromGoogle(['SHELLFISH', 'DAIRY']);
    assert.equal('allergens' in dish, false);
    assert.ok(report?.lossy.some(({ why }) => why === 'joinedAllergen'));
  });

  test('google, WHEAT is gluten of wheat, and a list without an entry declares nothing', () => {
    const { dish } = fromGoogle(['WHEAT', 'DAIRY']);
    assert.deepEqual(dish.allergens, ['cereali_glutine', 'latte']);
    assert.deepEqual(dish.allergen_detail, ['grano']);
    assert.equal('allergens' in fromGoogle([]).dish, false);
  });

  test('uber, a list with a name that is not exactly known declares nothing', () => {
    const text = (it: string) => ({ translations: { it_it: it } });
    const item = (names: string[]) => ({
      ...{ id: 'zuppa', title: text('Zuppa'), price_info: { price: 900 }, tax_info: {} },
      nutritional_info: { allergens: names },
    });
    const menu = (names: string[]) => ({
      categories: [{ id: 'primi', title: text('Primi'), entities: [{ id: 'zuppa' }] }],
      items: [item(names)],
    });
    const read = (names: string[], format: ImportFormat = 'uber') =>
      inOneGo(importFrom(format, menu(names), IN));
    const unsure = read(['Milk', 'shellfish']);
    assert.equal('allergens' in firstDish(unsure), false);
    assert.ok(unsure?.report.lossy.some(({ why }) => why === 'unknownTag'));
    assert.deepEqual(firstDish(read(['Milk', 'Fish'])).allergens, ['latte', 'pesce']);
  });

  test('otter, a kind brings its allergen, and an unknown word declares nothing', () => {
    const read = (...tags: string[]) => {
      const allergenClassifications = tags.map((tag) => ({ tag, containsAllergen: true }));
      const menu = {
        categories: { primi: { id: 'primi', name: 'Primi', itemIds: ['gricia'] } },
        items: {
          gricia: { name: 'Gricia', price: { amount: 9 }, skuDetails: { allergenClassifications } },
        },
      };
      return firstDish(inOneGo(importFrom('otter', menu, IN)));
    };
    const wheat = read('WHEAT', 'DAIRY');
    assert.deepEqual(wheat.allergens, ['latte', 'cereali_glutine']);
    assert.deepEqual(wheat.allergen_detail, ['grano']);
    assert.equal('allergens' in read('DAIRY', 'SHELLFISH'), false);
  });

  test('deliverect, a tag of a kind alone brings its allergen', () => {
    const product = { productType: 1, plu: 'g', name: 'Gricia', price: 900, productTags: [127] };
    const push = {
      categories: [{ name: 'Primi', posCategoryId: 'p' }],
      products: [{ ...product, posCategoryIds: ['p'] }],
    };
    const dish = firstDish(inOneGo(importFrom('deliverect', push, IN)));
    assert.deepEqual(dish.allergens, ['cereali_glutine']);
    assert.equal('sold_out_until' in dish, false);
  });

  test('google, a list without a word takes no allergen away that is declared here', () => {
    const present = { id: 7, allergens: ['cereali_glutine', 'pesce'], allergen_detail: ['segale'] };
    const { dish } = fromGoogle(['DAIRY', 'WHEAT'], present);
    assert.deepEqual(dish.allergens, ['cereali_glutine', 'latte', 'pesce']);
    assert.deepEqual(dish.allergen_detail, ['grano', 'segale']);
  });
});
