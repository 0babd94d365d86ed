import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { trattoria } from '../../db/operator/demo/menus.ts';
import {
  type BigramIndex,
  candidates,
  indexBigrams,
  soughtRows,
} from '../../gateway/search/bigram-index.ts';
import { fold } from '../../gateway/search/fold.js';
import { type MenuService, startMenuService } from '../support/menu-service.ts';
import { dishOf, restaurantOf, sectionOf } from '../support/restaurant.ts';

/** Letters that Italian menus have many of, and some that no rule about letters thinks of. */
const letter = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...'aaeeiioouurstnlcdmpgbvfzhq  ') },
  { weight: 2, arbitrary: fc.constantFrom(...'àèéìòùçñßœæøłıİÅΣςﬁ’-&0128%') },
  { weight: 1, arbitrary: fc.constantFrom(...'中日الжд🍕👩‍🍳🇮🇹\u0301\n') },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }) },
);
const text = fc
  .array(letter, { maxLength: 60, size: 'max' })
  .map((letters) => fold(letters.join('')));
/** From one letter to more than a text has; a cut may go through a sign of two halves. */
const cut = fc.tuple(fc.nat(60), fc.integer({ min: 1, max: 12 }));

test('folding removes case, accents, ligatures and invisible characters', () => {
  assert.equal(
    fold('TIRAMISÙ Crème Straße Œuf Æble Łódź ÎLE'),
    'tiramisu creme strasse oeuf aeble lodz ile',
  );
  assert.equal(fold('Smørrebrød ILIK ılık İskender'), 'smorrebrod ilik ilik iskender');
  assert.equal(
    fold('Caﬀè soﬃato, ﬁletto, ﬂan, ﬄ, ﬅ, ﬆ'),
    'caffe soffiato, filetto, flan, ffl, st, st',
  );
  assert.equal(
    fold('Tira\u200bmi\u2060su\u0300 \ufeffpan\u00addoro x\u2064y می\u200cخواهم'),
    'tiramisu pandoro xy میخواهم',
  );
  for (const sign of "'’‘ʼ´`") assert.equal(fold(`L${sign}uovo`), "l'uovo", sign);
  assert.equal(fold('ΜΟΥΣΑΚΑΣ'), fold('μουσακάς'));
  assert.ok(fold('μουσακάς').includes(fold('ΜΟΥΣ')));
});

describe('the index of bigrams', () => {
  test('rules out no text that has all the words, and keeps the order', () => {
    fc.assert(
      fc.property(
        fc.array(text, { minLength: 16, maxLength: 70, size: 'max' }),
        fc.nat(),
        fc.array(cut, { minLength: 1, maxLength: 4 }),
        fc.array(text, { maxLength: 1 }),
        (texts, number, cuts, others) => {
          const index = indexBigrams(texts) as BigramIndex;
          const own = texts[number % texts.length] ?? '';
          const words = cuts.map(([from, length]) => own.slice(from, from + length));
          for (const sought of [words, [own], [...words, ...others]]) {
            const holds = (at: number) => sought.every((word) => texts[at]?.includes(word));
            const left = candidates(index, texts.length, soughtRows(sought));
            assert.deepEqual(left.filter(holds), [...texts.keys()].filter(holds));
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  test('rules out most of the texts that lack a word', () => {
    const texts = trattoria.items.map(({ name, description }) =>
      fold(`${name.it}\n${description?.it}`),
    );
    const index = indexBigrams(texts) as BigramIndex;
    let [lacking, left] = [0, 0];
    for (const words of texts) {
      for (const word of words.match(/\p{L}{4,}/gu) ?? []) {
        lacking += texts.filter((one) => !one.includes(word)).length;
        const found = candidates(index, texts.length, soughtRows([word]));
        left += found.filter((at) => !texts[at]?.includes(word)).length;
      }
    }
    assert.ok(left < 0.1 * lacking, `${left} of ${lacking}`);
  });
});

describe('a search', () => {
  let service: MenuService;
  let names: string[];
  let texts: string[];

  before(async () => {
    const odd = [
      'Pizza 🍕 al dì',
      'Straße',
      'E',
      'Bœuf',
      'İskender',
      '中文 菜单',
      'a',
      '50 %',
      '👩‍🍳',
    ];
    // One section with enough dishes for an index, and one without.
    const large = sectionOf('Large', {
      dishes: trattoria.items.map(({ name, description = {} }) => ({
        ...dishOf(''),
        name,
        description,
      })),
    });
    const small = sectionOf('Odd', { dishes: odd.map((name) => dishOf(name)) });
    service = await startMenuService([restaurantOf('search', [large, small])]);
    const { json } = await service.client.get('/menu');
    const dishes: { name: string; description: string }[] = json.data.sections.flatMap(
      ({ items }: { items: [] }) => items,
    );
    names = dishes.map(({ name }) => name);
    texts = dishes.map(({ name, description }) => fold(`${name}\n${description}`));
  });
  after(() => service.stop());

  test('finds the dishes whose texts have each word, whatever the words', async () => {
    const part = fc.tuple(fc.nat(), cut).map(([index, [from, length]]) => {
      const own = texts[index % texts.length] ?? '';
      return own.slice(from % own.length, (from % own.length) + length);
    });
    const words = fc.array(fc.oneof({ weight: 3, arbitrary: part }, text), { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(words, async (sought) => {
        // Half a sign cannot be sent: this makes it one that no text has.
        const search = Buffer.from(sought.join(' ').slice(0, 200)).toString();
        const wanted = fold(search).split(/\s+/).filter(Boolean);
        const expected = names.filter((_, index) =>
          wanted.every((word) => texts[index]?.includes(word)),
        );
        const query = `/items?per_page=100&search=${encodeURIComponent(search)}`;
        const { json } = await service.client.get(query);
        assert.equal(json.meta.total, expected.length);
        const found = json.data.map(({ name }: { name: string }) => name);
        assert.deepEqual(found, expected.slice(0, 100));
      }),
      { numRuns: 300 },
    );
  });
});
