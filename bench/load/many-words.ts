import { createRandom } from './random.ts';

const SYLLABLES =
  'ra vi li ta glia tel le pes to ca po na mi bur ro sal via por ci fun ghi bra'.split(' ');
const LETTERS = 'abcdefghilmnoprstuvz';
const WORDS = 2_000;
const DISHES_PER_SECTION = 100;

const random = createRandom(54);
const newWord = () =>
  Array.from({ length: 3 + random.below(2) }, () => random.pick(SYLLABLES)).join('');
const words = Array.from({ length: WORDS }, newWord);
const someWords = (count: number) =>
  Array.from({ length: count }, () => random.pick(words)).join(' ');

/** A menu whose dishes have three words in their names, and eight in their descriptions. */
export function menuOfWords(dishes: number): object {
  const sections = Array.from(
    { length: Math.ceil(dishes / DISHES_PER_SECTION) },
    (_, at) => `s${at}`,
  );
  return {
    format: 'lavagna-menu/1',
    categories: sections.map((external_id) => ({ external_id, name: { it: external_id } })),
    items: Array.from({ length: dishes }, (_, at) => ({
      external_id: `d${at}`,
      category_external_id: sections[at % sections.length],
      name: { it: someWords(3) },
      description: { it: someWords(8) },
      price: 10,
    })),
  };
}

/** So many words of such menus as they stand there, and each with one wrong letter. */
export function wordsToType(count: number): { right: string[]; wrong: string[] } {
  const right = words.slice(0, count);
  const wrong = right.map((word) => {
    const at = 1 + random.below(word.length - 1);
    const others = [...LETTERS].filter((letter) => letter !== word[at]);
    return `${word.slice(0, at)}${random.pick(others)}${word.slice(at + 1)}`;
  });
  return { right, wrong };
}
