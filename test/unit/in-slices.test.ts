import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inSlices } from '../../db/runtime/in-slices.ts';
import { rebuildMenu } from '../../db/snapshot/rebuild.ts';
import type { StoredMenu } from '../../db/sql/menu/load-menu.ts';

/** Counts the turns of the event loop until `work` is done. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const count = () => {
    if (isDone) return;
    turns += 1;
    setImmediate(count);
  };
  setImmediate(count);
  try {
    await work;
    return turns;
  } finally {
    isDone = true;
  }
}

test('work in slices gives the event loop back after each, and its result at the end', async () => {
  function* steps() {
    for (let i = 0; i < 10; i += 1) yield;
    return 'done';
  }
  const work = inSlices(steps(), 0);
  assert.ok((await turnsDuring(work)) >= 9);
  assert.equal(await work, 'done');
});

test('an error ends the work', async () => {
  function* steps(): Generator<void, never> {
    yield;
    throw new Error('broken');
  }
  await assert.rejects(inSlices(steps(), 0), /broken/);
});

test('a menu of the largest size is rebuilt in slices', async () => {
  const text = Object.fromEntries(['it', 'en', 'de'].map((locale) => [locale, 'ragù '.repeat(40)]));
  const section = { id: 1, parent_id: null, menu_type: 'standard', name_translations: text };
  const texts = { name_translations: text, description_translations: text };
  const dish = { category_id: 1, type_id: null, winery_id: null, ...texts };
  const dishes = Array.from({ length: 4_000 }, (_, id) => ({ ...dish, id, is_active: true }));
  const menu = {
    version: 1,
    settings: {
      id: 1,
      slug: 'grande',
      default_locale: 'it',
      supported_locales: ['it', 'en', 'de'],
    },
    theme: { id: 1 },
    ...{ types: [], wineries: [], sections: [{ ...section, is_active: true }], dishes },
  } as unknown as StoredMenu;
  const work = rebuildMenu(menu);
  assert.ok((await turnsDuring(work)) >= 2);
  assert.equal((await work).built.dishes.size, 4_000);
});
