// The text and the values that pg sends for a template.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Fragment, sql, toPg } from '../../../db/postgres/sql.ts';

const statement = (part: Fragment | string | number | null) => {
  const { text, values } = toPg(sql.nothing`select ${1}, ${part}, ${sql.fragment`${2} + ${3}`}`);
  return [text, ...values];
};

test('a template has the text and the values of its parts', () => {
  const bytes = Buffer.from('x');
  const pair = [sql.fragment`${8}`, sql.fragment`${9}`];
  const cases: [Fragment | string | number | null, ...unknown[]][] = [
    ['a', 'select $1, $2, $3 + $4', 1, 'a', 2, 3],
    [null, 'select $1, $2, $3 + $4', 1, null, 2, 3],
    [sql.array([4, 5], 'int4'), 'select $1, $2::"int4"[], $3 + $4', 1, [4, 5], 2, 3],
    [sql.array([], 'int4'), 'select $1, $2::"int4"[], $3 + $4', 1, [], 2, 3],
    [sql.identifier(['a', 'b']), 'select $1, "a"."b", $2 + $3', 1, 2, 3],
    [sql.fragment`(${6})`, 'select $1, ($2), $3 + $4', 1, 6, 2, 3],
    [sql.identifiers(['a', 'b']), 'select $1, "a", "b", $2 + $3', 1, 2, 3],
    [sql.join(pair, ' - '), 'select $1, $2 - $3, $4 + $5', 1, 8, 9, 2, 3],
    [sql.join([], ' - '), 'select $1, , $2 + $3', 1, 2, 3],
    [sql.binary(bytes), 'select $1, $2, $3 + $4', 1, bytes, 2, 3],
  ];
  for (const [part, ...expected] of cases) assert.deepEqual(statement(part), expected);
});

test('a template with an undefined part is refused', () => {
  assert.throws(() => statement(undefined as unknown as null));
});
