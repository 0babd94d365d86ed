// The records that a whole menu lacks are deleted a few at a time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDraft } from '../../../db/menu/draft.ts';
import type { StoredMenu } from '../../../db/sql/menus.ts';
import { deleteMissing } from '../../../workers/writes/delete-missing.ts';

test('other restaurants have their turn between two of hundreds of deleted sections', () => {
  const sections = Array.from({ length: 500 }, (_, at) => ({ id: at + 1, parent_id: null }));
  const menu = {
    sections,
    types: [],
    wineries: [],
    photos: [],
    dishes: [],
  } as unknown as StoredMenu;
  const draft = createDraft(menu);
  const steps = deleteMissing(draft, menu, ['categories'], []);
  let count = 0;
  let step = steps.next();
  for (; !step.done; step = steps.next()) {
    count += 1;
    assert.equal(draft.changes().deleted.length, count, 'one in a step');
  }
  assert.equal(step.value.length, sections.length);
  assert.equal(draft.menu.sections.length, 0);
});
