// The menu's page and the API's search forgive by this very file, so it is one that browsers run.
import { readPattern } from './fold.js';

/** Words of so many letters may have one slip, and two. */
const ONE_SLIP = 4;
const TWO_SLIPS = 8;
/** Words that are compared with all words of a menu; a query of more finds what has them as typed. */
const MOST_WORDS = 12;
/** Longer words are not compared: no dish has them, and comparing costs the square of their length. */
const LONGEST = 24;
/** The cost of a word that a dish lacks. */
const LACKS = 255;
const NONE = Number.POSITIVE_INFINITY;
/** Costs are counted in halves: half a slip more stands for a word of the description. */
const SLIP = 2;

/** Slips between beginnings of two words, used again: words are compared by the thousand. */
const rows = Array.from({ length: 3 }, () => new Uint8Array(LONGEST + 4));

const slipsOf = ({ length }) =>
  length < ONE_SLIP || length > LONGEST ? 0 : length < TWO_SLIPS ? 1 : 2;

/**
 * How many slips lead from one word to another: a letter too many, too few, another one, or two that
 * changed places. More than `most` is `most + 1`. The other word may go on, because guests see results
 * while they type.
 *
 * @param text has the other word from `begin` to `end`
 */
export function slips(typed, text, most, begin = 0, end = text.length) {
  const width = Math.min(end - begin, typed.length + most);
  const far = most + 1;
  let [before, row, next] = rows;
  for (let to = 0; to <= width + 1; to += 1) row[to] = Math.min(to, far);
  for (let at = 1; at <= typed.length; at += 1) {
    // Letters further apart are more slips away.
    const [first, last] = [Math.max(1, at - most), Math.min(width, at + most)];
    next[first - 1] = first === 1 ? Math.min(at, far) : far;
    next[last + 1] = far;
    let least = next[first - 1];
    const sign = typed.charCodeAt(at - 1);
    for (let to = first; to <= last; to += 1) {
      const other = text.charCodeAt(begin + to - 1);
      let count = Math.min(row[to] + 1, next[to - 1] + 1, row[to - 1] + (sign === other ? 0 : 1));
      if (at > 1 && to > 1 && sign === text.charCodeAt(begin + to - 2)) {
        if (typed.charCodeAt(at - 2) === other) count = Math.min(count, before[to - 2] + 1);
      }
      next[to] = Math.min(count, far);
      least = Math.min(least, next[to]);
    }
    if (least > most) return far;
    [before, row, next] = [row, next, before];
  }
  let least = far;
  for (let to = Math.max(0, typed.length - most); to <= width; to += 1) {
    least = Math.min(least, row[to]);
  }
  return least;
}

const BETWEEN = readPattern('[^\\p{L}\\p{N}]+', '[\\s!-/:-@[-`{-~\u00a0-\u00bf\u2000-\u206f]+');
const wordsOf = (text) => text.split(BETWEEN).filter(Boolean);

/** Its letters, a bit each; some letters share one. */
function lettersOf(word) {
  let bits = 0;
  for (let at = 0; at < word.length; at += 1) bits |= 1 << (word.charCodeAt(at) & 31);
  return bits;
}

/** Each slip takes one letter away at most: a word that lacks more letters has more slips. */
function lacksMore(bits, letters, most) {
  let lacking = bits & ~letters;
  for (let count = 0; lacking !== 0; count += 1) {
    if (count === most) return true;
    lacking &= lacking - 1;
  }
  return false;
}

/**
 * Each word of dishes once, with the dishes that have it: what is typed is compared with few words of a
 * large menu.
 *
 * @param dishes each with its folded `name` and `text`
 */
export function indexWords(dishes) {
  const places = new Map();
  for (const [number, { name, text }] of dishes.entries()) {
    for (const [behind, words] of [wordsOf(name), wordsOf(text)].entries()) {
      for (const word of words) {
        const own = places.get(word);
        if (!own) places.set(word, [number * SLIP + behind]);
        else if (own[own.length - 1] >> 1 !== number) own.push(number * SLIP + behind);
      }
    }
  }
  const words = [...places.keys()];
  const flat = [];
  const ends = [];
  const begins = [0];
  for (const { length } of words) begins.push(begins[begins.length - 1] + length + 1);
  for (const list of places.values()) {
    for (const place of list) flat.push(place);
    ends.push(flat.length);
  }
  return {
    count: dishes.length,
    /** In one text, because many short ones take more memory than their letters. */
    words: words.join(' '),
    letters: Int32Array.from(words, lettersOf),
    /** Where each word begins, and where one behind the last would. */
    begins: Int32Array.from(begins),
    /** Where the places of each word end. */
    ends: Int32Array.from(ends),
    /** The number of a dish in the upper bits; the lowest says that its name lacks the word. */
    places: Int32Array.from(flat),
  };
}

/** For each word of an index the slips that lead to it from what is typed. */
function eachSlips(typed, { words, letters, begins }, take) {
  const most = slipsOf(typed);
  const bits = lettersOf(typed);
  let found = words.indexOf(typed);
  for (let number = 0; number < letters.length; number += 1) {
    const begin = begins[number];
    const end = begins[number + 1] - 1;
    if (found >= 0 && found < end) {
      take(number, 0);
      found = words.indexOf(typed, end);
    } else if (most > 0 && end - begin >= typed.length - most) {
      if (lacksMore(bits, letters[number], most)) continue;
      const count = slips(typed, words, most, begin, end);
      if (count <= most) take(number, count);
    }
  }
}

/** For each dish the sum of the costs of the words, or `NONE` where it lacks one. */
function costsOf(words, index) {
  const sums = new Float64Array(index.count);
  for (const typed of words) {
    const costs = new Uint8Array(index.count).fill(LACKS);
    eachSlips(typed, index, (number, count) => {
      for (let at = number > 0 ? index.ends[number - 1] : 0; at < index.ends[number]; at += 1) {
        const dish = index.places[at] >> 1;
        costs[dish] = Math.min(costs[dish], count * SLIP + (index.places[at] & 1));
      }
    });
    for (let dish = 0; dish < costs.length; dish += 1) {
      sums[dish] += costs[dish] === LACKS ? NONE : costs[dish];
    }
  }
  return sums;
}

/**
 * Dishes that fit words which nothing has as they are typed: those with the fewest slips, and of these
 * rather those with the words in their names.
 *
 * @param index of `indexWords`
 * @param ranges of the numbers of dishes that may be found: from the first until before the last
 * @returns the numbers of those that fit best, in their order
 */
export function forgive(words, index, ranges = [[0, index.count]]) {
  const typed = [].concat(...words.map(wordsOf));
  if (typed.length === 0 || typed.length > MOST_WORDS) return [];
  const costs = costsOf(new Set(typed), index);
  let least = NONE;
  let best = [];
  for (const [first, end] of ranges) {
    for (let number = first; number < end; number += 1) {
      if (costs[number] < least) best = [];
      least = Math.min(least, costs[number]);
      if (costs[number] === least && least < NONE) best.push(number);
    }
  }
  return best;
}
