import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPages } from '../../../gateway/display/page.ts';
import { createDerivedAnswers } from '../../../gateway/http/derived-answers.ts';
import { createSnapshotCache } from '../../../gateway/snapshots/cache.ts';
import { storedIn } from '../../support/stored-menu.ts';

const HOUR = 3_600_000;
/** Half an hour before the day ends in Rome. */
const EVENING = Date.parse('2026-11-26T22:30:00Z');

test('a page is made anew for another day of the restaurant, another door or another kind of page', async () => {
  let time = EVENING;
  const pages = createPages({
    answers: createDerivedAnswers(10_000_000),
    originOf: ({ slug }, door) => `${door?.secure ? 'https' : 'http'}://${slug}.${door?.host}`,
    now: () => time,
  });
  const snapshot = createSnapshotCache(10_000_000).keep(storedIn('it', 1, 'it'));
  const door = { host: 'a.example', secure: false };
  const evening = await pages(snapshot, door, 'root');
  const textOf = async (at: typeof door, kind: 'root' | 'page') =>
    String((await pages(snapshot, at, kind)).identity.body);

  time += HOUR / 4 - 1;
  assert.equal(pages(snapshot, door, 'root'), evening, 'in the same quarter of an hour');
  time += HOUR / 4;
  assert.equal(pages(snapshot, door, 'root'), evening, 'on the same day');
  time += 1;
  assert.notEqual(await pages(snapshot, door, 'root'), evening, 'on the next day');
  time = EVENING;
  assert.equal(pages(snapshot, door, 'root'), evening, 'when the clock was set back');

  const secure = await textOf({ ...door, secure: true }, 'root');
  assert.match(secure, /href="https:\/\/osteria.a.example\/"/);
  const other = await textOf({ ...door, host: 'b.example' }, 'root');
  assert.match(other, /href="http:\/\/osteria.b.example\/"/);
  assert.match(await textOf(door, 'page'), /rel="canonical" href="[^"]*\?lang=it"/);
  assert.equal(pages(snapshot, door, 'root'), evening);
});
