// The menu's page and the API's search forgive by this very file, so it is one that browsers run.
import { readPattern } from './fold.js';

/** Words of so many letters may have one slip, and two. */
const ONE_SLIP = 4;
const TWO_SLIPS = 8;
/** Words that are compared with all words of a menu; a query of more finds what has them as typed. */
const MOST_WORDS = 12;
/** Longer words are not compared: no dish has them, and comparing costs the square of their length. */
const LONGEST = 24;

const slipsOf = ({ length }) =>
  length < ONE_SLIP || length > LONGEST ? 0 : length < TWO_SLIPS ? 1 : 2;

/**
 * How many slips lead from one word to another: a letter too many, too few, another one, or two that
 * changed places. More than `most` is `most + 1`. The other word may go on, because guests see results
 * while they type.
 */
export function slips(typed, word, most) {
  let before = [];
  let row = Array.from({ length: word.length + 1 }, (_, index) => index);
  for (let at = 1; at <= typed.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= word.length; to += 1) {
      const isSame = typed[at - 1] === word[to - 1];
      let least = Math.min(row[to] + 1, next[to - 1] + 1, row[to - 1] + (isSame ? 0 : 1));
      const isSwapped = to > 1 && typed[at - 1] === word[to - 2] && typed[at - 2] === word[to - 1];
      if (at > 1 && isSwapped) least = Math.min(least, before[to - 2] + 1);
      next.push(least);
    }
    if (Math.min(...next) > most) return most + 1;
    before = row;
    row = next;
  }
  return Math.min(most + 1, ...row);
}

const BETWEEN = readPattern('[^\\p{L}\\p{N}]+', '[\\s!-/:-@[-`{-~\u00a0-\u00bf\u2000-\u206f]+');
const wordsOf = (text) => text.split(BETWEEN).filter(Boolean);

/**
 * Texts that fit words which nothing has as they are typed: those with the fewest slips, and of these
 * rather those with the words in their names.
 *
 * @param dishes each with its folded `name` and `text`
 * @returns those that fit best, as a set
 */
export function forgive(words, dishes) {
  if (words.length > MOST_WORDS) return new Set();
  const known = new Map();
  const distance = (typed, word, most) => {
    const key = `${typed} ${word}`;
    if (!known.has(key)) known.set(key, typed === word ? 0 : slips(typed, word, most));
    return known.get(key);
  };
  const costOf = (typed, text, own) => {
    if (text.includes(typed)) return 0;
    const most = slipsOf(typed);
    if (most === 0) return Number.POSITIVE_INFINITY;
    const least = Math.min(...own.map((word) => distance(typed, word, most)), most + 1);
    return least > most ? Number.POSITIVE_INFINITY : least;
  };
  // A word of the description counts as half a slip more than one of the name.
  const total = ({ name, text }) => {
    const [ofName, ofText] = [wordsOf(name), wordsOf(text)];
    const cost = (typed) =>
      Math.min(costOf(typed, name, ofName), costOf(typed, text, ofText) + 0.5);
    return words.reduce((sum, typed) => sum + cost(typed), 0);
  };
  const costs = dishes.map((dish) => [dish, total(dish)]);
  const least = Math.min(...costs.map(([, cost]) => cost));
  if (least === Number.POSITIVE_INFINITY) return new Set();
  return new Set(costs.filter(([, cost]) => cost === least).map(([dish]) => dish));
}
