import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sayIn } from '../../../db/texts/say.ts';
import { findDishes, tellApart } from '../../../gateway/panel/records/dish-names.ts';
import { each } from '../../support/each.ts';

const dishes = tellApart([
  { value: '146', name: 'Carbonara', section: 'Primi' },
  { value: '7', name: 'Gricia', section: 'Primi' },
  { value: '9', name: 'Gricia', section: 'Menù del pranzo' },
]);
const key = 'courses.0.options.1.item_id';
const find = (text: string) => findDishes(sayIn('it'), new Map([[key, [text]]]), dishes);

test('tellApart shows the section of dishes that share their name, and of no others', () => {
  assert.deepEqual(each(dishes, 'label'), [
    'Carbonara',
    'Gricia (Primi)',
    'Gricia (Menù del pranzo)',
  ]);
});

test('findDishes takes a unique name, a name with its section, and a number', () => {
  for (const [text, id] of [
    [' carbonara ', '146'],
    ['Gricia (Primi)', '7'],
    ['9', '9'],
    ['Carbonara · 146', '146'],
  ] as const) {
    assert.deepEqual(find(text), { draft: new Map([[key, [id]]]), errors: {} }, text);
  }
});

test('findDishes says which name no dish has, and which several have', () => {
  assert.match(find('Amatriciana').errors[key] ?? '', /nessun piatto «Amatriciana»/);
  assert.match(find('Gricia').errors[key] ?? '', /Più piatti si chiamano «Gricia»/);
});
