import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { trattoria } from '../../../db/operator/demo/restaurant.ts';
import type { Dish } from '../../../db/schema/dish.ts';
import {
  type BigramIndex,
  candidates,
  indexBigrams,
  soughtRows,
} from '../../../gateway/search/bigram-index.ts';
import { fold, foldText, foldWords, hasWords } from '../../../gateway/search/fold.js';
import { forgive, indexWords } from '../../../gateway/search/forgiving.js';
import { each } from '../../support/each.ts';
import { menuService } from '../../support/menu-service.ts';
import { dishOf, restaurantOf, sectionOf, wineryOf } from '../../support/restaurant.ts';
import { often } from '../../support/thorough.ts';

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
  const folded = {
    'TIRAMISÙ Crème Straße Œuf Æble Łódź ÎLE': 'tiramisu creme strasse oeuf aeble lodz ile',
    'Smørrebrød ILIK ılık İskender': 'smorrebrod ilik ilik iskender',
    'Caﬀè soﬃato, ﬁletto, ﬂan, ﬄ, ﬅ, ﬆ': 'caffe soffiato, filetto, flan, ffl, st, st',
    'Tira\u200bmi\u2060su\u0300 \ufeffpan\u00addoro x\u2064y می\u200cخواهم':
      'tiramisu pandoro xy ميخواهم',
  };
  for (const [text, plain] of Object.entries(folded)) assert.equal(fold(text), plain);
  for (const sign of "'’‘ʼ´`") assert.equal(fold(`L${sign}uovo`), "l'uovo", sign);
  assert.equal(fold('ΜΟΥΣΑΚΑΣ'), fold('μουσακάς'));
  assert.ok(fold('μουσακάς').includes(fold('ΜΟΥΣ')));
});

test('readers of each language find what they type as they are used to', () => {
  for (const [text, queries] of [
    ['Käsespätzle mit Röstzwiebeln', ['kaese', 'kase', 'KÄSE', 'roest', 'spaetzle']],
    ['Kaesespaetzle', ['käse', 'Käsespätzle']],
    ['Große Forelle in Weißwein', ['gross', 'weiss', 'GROẞE']],
    ['Rødgrød med fløde', ['roedgroed', 'rodgrod']],
    ['شَوَرْمَة دجاج بالأرز', ['شورمه دجاج', 'الارز']],
    ['ملوخية على الطريقة', ['ملوخيه', 'علي']],
    ['Μουσακάς με αρνί', ['μουσακασ', 'ΜΟΥΣΑΚΑΣ', 'αρνι']],
    ['Kısır və İçli köfte, düşbərə', ['kisir', 'icli kofte', 'dusbere', 'İÇLİ']],
    ['寿司の盛り合わせ', ['寿司盛り', '盛合']],
    ['ラーメン', ['らーめん']],
    ['שקשוקה עם לחם', ['לחמ']],
  ] as const) {
    for (const query of queries) {
      assert.ok(hasWords(foldText(text), foldWords(query)), `${query} in ${text}`);
    }
  }
  assert.ok(!hasWords(foldText('Paella'), foldWords('pollo')));
  assert.ok(hasWords(foldText('Paella'), foldWords('ella')), 'a word may begin within two letters');
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
      { numRuns: often(25, 100) },
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

const odd = ['Pizza 🍕 al dì', 'Straße', 'E', 'Bœuf', 'İskender', '中文 菜单', 'a', '50 %', '👩‍🍳'];
// One section with enough dishes for an index, and one without.
const many = trattoria.items.map(({ name, description = {} }) => {
  return { ...dishOf(''), name, description };
});
const large = sectionOf('Large', many);
const few = odd.map((name) => dishOf(name));
const small = sectionOf('Odd', few);
const wine = dishOf('Bianco', {
  winery: 'Zidarich',
  ...{ code: 'V12', vintage: 1987, grapes: 'Vitovska' },
  variants: [{ label: { it: 'Magnum' }, price: 60 }],
} as Parameters<typeof dishOf>[1]);
const wines = sectionOf('Vini', [wine]);
const maker = { ...wineryOf('Zidarich'), country: 'Slovenia' };
const planted = restaurantOf('search', [large, small, wines]);
const service = await menuService([{ ...planted, wineries: [maker] }]);
const { json } = await service.client.get('/menu');
const dishes: Dish[] = json.data.sections.flatMap(({ items }: { items: [] }) => items);
const names = dishes.map(({ name }) => name);
const texts = dishes.map(({ name, description, code, vintage, grapes, variants, winery }) => {
  const maker = [winery?.name, winery?.region, winery?.country];
  const sizes = variants.map(({ label }) => label);
  const more = [code, vintage, grapes, ...sizes, ...maker].filter(Boolean);
  return foldText([name, description, ...more].join('\n'));
});

describe('a search', () => {
  test('finds wines by winery, country, vintage, grapes and size', async () => {
    for (const word of ['Zidarich', 'Slovenia', '1987', 'Vitovska', 'magnum', 'V12']) {
      const { json } = await service.client.get(`/items?search=${word}`);
      assert.deepEqual(each(json.data, 'name'), ['Bianco'], word);
    }
  });

  /** The dishes that fit words with the fewest slips, as the menu's page shows them. */
  function forgiven(wanted: string[][]): string[] {
    const dishes = texts.map((text) => ({ text, name: text.slice(0, text.indexOf('\n')) }));
    const typed = wanted.map(([form = '']) => form);
    const best = forgive(typed, indexWords(dishes));
    return names.filter((_, number) => best.includes(number));
  }

  test('forgives one slip or two where no dish has the words, and says so', async () => {
    const meant = { vitofska: 'bianco', carbonarra: 'carbonara', carbonara: 'carbonara' };
    for (const [query, name] of Object.entries(meant)) {
      const { json } = await service.client.get(`/items?search=${query}`);
      const found = each(json.data as Dish[], 'name');
      const isFound = found.some((one) => one.toLowerCase().includes(name));
      assert.ok(isFound, query);
      assert.equal(json.meta.forgiven, query === 'carbonara' ? undefined : true);
    }
    for (const query of ['xyz', 'qwrtzplk', 'vitofska '.repeat(13)]) {
      const { json } = await service.client.get(`/items?search=${encodeURIComponent(query)}`);
      assert.equal(json.meta.total, 0, query);
    }
  });

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
        const wanted = foldWords(search);
        const exact = names.filter((_, index) => hasWords(texts[index] ?? '', wanted));
        const expected = exact.length > 0 ? exact : forgiven(wanted);
        const query = `/items?per_page=100&search=${encodeURIComponent(search)}`;
        const { json } = await service.client.get(query);
        assert.equal(json.meta.total, expected.length);
        assert.equal(json.meta.forgiven, (exact.length === 0 && expected.length > 0) || undefined);
        assert.deepEqual(each(json.data, 'name'), expected.slice(0, 100));
      }),
      { numRuns: often(25, 100) },
    );
  });
});
