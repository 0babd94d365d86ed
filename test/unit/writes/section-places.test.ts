// Where a section may stand, and that finding out costs a look or two at each section.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPlace } from '../../../db/menu/rules.ts';
import { constants } from '../../../db/runtime/constants.ts';

let looks = 0;
/** A section that counts how often somebody asks where it stands. */
function section(id: number, parentId: number | null) {
  return {
    id,
    get parent_id() {
      looks += 1;
      return parentId;
    },
  };
}

/** Sections each below the one before; ids from `first`. */
function chain(first: number, length: number) {
  return Array.from({ length }, (_, i) => section(first + i, i === 0 ? null : first + i - 1));
}

test('a move looks at each of 18,000 sections a few times, however they are nested', () => {
  const count = 18_000;
  const moved = section(1, null);
  const below = Array.from({ length: count }, (_, i) =>
    section(i + 10, i < count / 2 ? 1 : i - 90),
  );
  const sections = [moved, section(2, null), ...below];
  looks = 0;
  isPlace(sections, 2, 1);
  assert.ok(looks <= 3 * sections.length, `${looks} looks at ${sections.length} sections`);
});

test('a section with those below it is as deep as sections may be, and no deeper', () => {
  const most = constants.maxSectionDepth;
  const sections = [...chain(1, 3), ...chain(10, most - 3), ...chain(30, most - 2)];
  assert.equal(isPlace(sections, 3, 10), true);
  assert.equal(isPlace(sections, 3, 30), false);
  assert.equal(isPlace(sections, 2, 30), true);
  assert.equal(isPlace(sections, 3, null), true);
  assert.equal(isPlace([...chain(1, most)], most, null), false);
});

test('a section stands below neither itself nor a section below it nor one that is gone', () => {
  const sections = chain(1, 4);
  for (const parent of [2, 3, 4, 99]) assert.equal(isPlace(sections, parent, 2), false);
  assert.equal(isPlace(sections, 1, 2), true);
});
