// Documents of services that are broken in every way: an import reads them or refuses them.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { exportAs } from '../../../db/exchange/exports.ts';
import { importFrom } from '../../../db/exchange/imports.ts';
import { inOneGo } from '../../../db/runtime/in-slices.ts';
import { IMPORT_FORMATS, type ImportFormat } from '../../../db/schema/exchange-report.ts';
import { exportedMenu, OUT } from '../../support/exchange-menu.ts';
import { BOTH_WAYS, emptyLike } from '../../support/exchange-properties.ts';
import type { Row } from '../../support/random-menu.ts';
import { seed } from '../../support/seed.ts';
import { deliverectPush, squareCells, toastMenus } from '../../support/service-exports.ts';
import { often } from '../../support/thorough.ts';

const deep = (levels: number): unknown => (levels === 0 ? 'x' : [{ a: deep(levels - 1) }]);

/** Values that no service would send. */
const odd = fc.constantFrom<unknown>(
  ...[null, '', 'x', ' ', -1, 1.5, 1e308, true, [], {}, [null], [[]], 'é'.repeat(5_000)],
  ...[deep(30), JSON.parse('{"__proto__": {"polluted": true}}'), '__proto__', 'constructor'],
);

/** Replaces a value somewhere in a document, doubles it, or takes it away. */
function broken(document: unknown, path: readonly number[], value: unknown, how: number): unknown {
  if (typeof document !== 'object' || document === null) return value;
  const [at = 0, ...rest] = path;
  const entries = Object.entries(document);
  const chosen = entries[at % (entries.length || 1)];
  if (!chosen || path.length === 0) return value;
  const [name, inner] = chosen;
  const next = rest.length === 0 ? value : broken(inner, rest, value, how);
  if (Array.isArray(document)) {
    if (how === 1) return [...document, inner, next];
    return document.map((one, place) => (String(place) === name ? next : one));
  }
  if (how === 2) return Object.fromEntries(entries.filter(([own]) => own !== name));
  return Object.fromEntries(entries.map(([own, one]) => [own, own === name ? next : one]));
}

const changes = fc.array(
  fc.record({
    path: fc.array(fc.nat(20), { minLength: 1, maxLength: 8 }),
    value: odd,
    how: fc.nat(2),
  }),
  { minLength: 1, maxLength: 4 },
);

/** A whole document of each service, made of a menu where it has an export. */
function wholeDocument(format: ImportFormat, menu: Row): unknown {
  const target = BOTH_WAYS.find((one) => one === format);
  if (target) {
    return JSON.parse(JSON.stringify(inOneGo(exportAs(target, menu, OUT)).document));
  }
  return format === 'toast' ? toastMenus : squareCells;
}

describe('imports of broken documents', () => {
  for (const format of IMPORT_FORMATS) {
    test(`${format}, a changed document is read or refused, and changes nothing else`, () => {
      const menus = fc.constantFrom(...fc.sample(exportedMenu, { numRuns: 8, seed }));
      fc.assert(
        fc.property(menus, changes, fc.boolean(), (menu, all, isPush) => {
          const whole =
            format === 'deliverect' && isPush ? deliverectPush : wholeDocument(format, menu);
          const document = all.reduce<unknown>(
            (one, { path, value, how }) => broken(one, path, value, how),
            whole,
          );
          const imported = inOneGo(importFrom(format, document, emptyLike(menu)));
          if (imported) JSON.stringify(imported);
          assert.equal(({} as Row).polluted, undefined);
        }),
        { numRuns: often(60, 300), seed },
      );
    });
  }

  test('square, categories that stand in each other in a circle are read', () => {
    const count = 20_000;
    const objects = Array.from({ length: count }, (_, at) => ({
      ...{ type: 'CATEGORY', id: `c${at}` },
      category_data: { name: `Category ${at}`, parent_category: { id: `c${(at + 1) % count}` } },
    }));
    const imported = inOneGo(importFrom('square', { objects }, emptyLike({ settings: {} })));
    assert.equal((imported?.document.categories as Row[] | undefined)?.length, count);
  });

  test('deliverect, a long bundle that each dish names is read once', () => {
    const count = 2_000;
    const ids = Array.from({ length: count }, (_, at) => `d${at}`);
    const dish = (id: string) => ({ _id: id, plu: id, name: id, price: 1, subProducts: ['b'] });
    const push = {
      categories: [{ _id: 'c', name: 'All', subProducts: ids }],
      products: Object.fromEntries(ids.map((id) => [id, dish(id)])),
      bundles: { b: { _id: 'b', plu: 'b', name: 'Bundle', productType: 4, subProducts: ids } },
    };
    const imported = inOneGo(importFrom('deliverect', push, emptyLike({ settings: {} })));
    const items = imported?.document.items as { courses: { options: unknown[] }[] }[] | undefined;
    assert.equal(items?.[0]?.courses[0]?.options.length, 60);
  });
});
