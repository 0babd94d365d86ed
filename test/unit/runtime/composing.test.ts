// The text of a template is made once for parts of the same forms. Every other part gets its own.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Fragment, sql, toPg } from '../../../db/postgres/sql.ts';

const statement = (part: Fragment | string | number | null) => {
  const { text, values } = toPg(sql.nothing`select ${1}, ${part}, ${sql.fragment`${2} + ${3}`}`);
  return [text, ...values];
};

test('one template, filled with parts of other forms in turn, has their text and values', () => {
  const bytes = Buffer.from('x');
  const cases: [Fragment | string | number | null, ...unknown[]][] = [
    ['a', 'select $1, $2, $3 + $4', 1, 'a', 2, 3],
    [null, 'select $1, $2, $3 + $4', 1, null, 2, 3],
    [sql.array([4, 5], 'int4'), 'select $1, $2::"int4"[], $3 + $4', 1, [4, 5], 2, 3],
    [sql.array([], 'int4'), 'select $1, $2::"int4"[], $3 + $4', 1, [], 2, 3],
    [sql.array(['int4'], 'text'), 'select $1, $2::"text"[], $3 + $4', 1, ['int4'], 2, 3],
    [sql.identifier(['int4']), 'select $1, "int4", $2 + $3', 1, 2, 3],
    [sql.identifier(['a', 'b']), 'select $1, "a"."b", $2 + $3', 1, 2, 3],
    [sql.identifier(['a.b']), 'select $1, "a.b", $2 + $3', 1, 2, 3],
    [sql.fragment`int4`, 'select $1, int4, $2 + $3', 1, 2, 3],
    [sql.fragment`(${6})`, 'select $1, ($2), $3 + $4', 1, 6, 2, 3],
    [sql.fragment`(${7})`, 'select $1, ($2), $3 + $4', 1, 7, 2, 3],
    [sql.identifiers(['a', 'b']), 'select $1, "a", "b", $2 + $3', 1, 2, 3],
    [
      sql.join([sql.fragment`${8}`, sql.fragment`${9}`], ' - '),
      'select $1, $2 - $3, $4 + $5',
      1,
      8,
      9,
      2,
      3,
    ],
    [sql.binary(bytes), 'select $1, $2, $3 + $4', 1, bytes, 2, 3],
    ['', 'select $1, $2, $3 + $4', 1, '', 2, 3],
  ];
  for (const [part, ...expected] of [...cases, ...cases.toReversed()]) {
    assert.deepEqual(statement(part), expected);
    assert.deepEqual(statement(part), expected);
  }
});

test('a template with an undefined part is refused, also after one without', () => {
  statement(1);
  assert.throws(() => statement(undefined as unknown as null));
});
