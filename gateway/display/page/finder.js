import { readFacts, verdict, withKinds } from '../../search/avoid.js';
import { fold, foldText, foldWords, hasWords } from '../../search/fold.js';
import { forgive, indexWords } from '../../search/forgiving.js';
import { createChoices } from './choices.js';

/** A guest who has not typed for so long has the words to look for, in ms. */
const TYPED = 1_200;
/** In characters; an emoji is one, and the gateway refuses half of it. */
const MAX_QUERY = 200;

/** The elements whose text the search reads, beside the marks, prices and sections of dishes. */
const SEARCHED = '.name .own, .winery, .facts, .description, .sizes, .courses, .labels';
const TITLES = ':scope > .heading > :first-child, :scope > .type';

function titlesAbove(dish) {
  const titles = [];
  for (let part = dish.closest('.group, section'); part; ) {
    titles.push(part.querySelector(TITLES)?.textContent ?? '');
    part = part.parentElement.closest('section');
  }
  return titles;
}

const nameOf = (element) =>
  [...element.querySelectorAll('.name .own')].find((own) => !own.closest('.code'));

function readDish(element, kinds) {
  const own = [...element.querySelectorAll(SEARCHED)].map(({ textContent }) => textContent);
  const { allergens, undeclared, facts, labels } = element.dataset;
  const has = undeclared === undefined ? (allergens?.split(' ').map(Number) ?? []) : null;
  return {
    element,
    name: fold(nameOf(element).textContent),
    text: foldText([...own, ...titlesAbove(element)].join(' ')),
    facts: withKinds(readFacts(facts === undefined ? [has] : JSON.parse(facts)), kinds),
    labels: labels?.split(' ') ?? [],
    some: element.querySelector('.some'),
  };
}

const readDishes = (menu, kinds) =>
  [...menu.querySelectorAll('.dish')].map((element) => readDish(element, kinds));

/** Finds the dishes that have all words, else those that fit them best. */
function createSearch(dishes) {
  let index;
  return (words) => {
    const exact = dishes.filter(({ text }) => hasWords(text, words));
    if (exact.length > 0) return new Set(exact);
    index = index || indexWords(dishes);
    const typed = words.map(([form]) => form);
    return new Set(forgive(typed, index).map((number) => dishes[number]));
  };
}

/** The search field and the allergen filter: both hide dishes of the menu, and links to them. */
export function createFinder(menu, track) {
  const input = document.getElementById('search');
  const found = document.getElementById('found');
  const nav = document.getElementById('sections');
  let dishes = [];
  let bestOf;
  let texts;
  let typing;
  /** How many dishes fit what is typed, whatever allergens are avoided. */
  let fitting = 0;
  let told = '';

  const apply = () => {
    const words = foldWords(input.value);
    const avoided = choices.avoided();
    let shown = 0;
    let unknown = 0;
    let unmarked = 0;
    const wanted = choices.wanted();
    fitting = 0;
    const best = bestOf(words);
    for (const dish of dishes) {
      const { element, facts, labels, some } = dish;
      const fits = best.has(dish);
      const found = avoided.size > 0 ? verdict(facts, avoided) : 'fine';
      // Of a dish that declares nothing it is not known what it contains.
      const isUnknown = found === 'undeclared';
      // And of one without a label it is not known whether it could have it.
      const isUnmarked = !wanted.every((label) => labels.includes(label));
      element.hidden = !fits || isUnknown || isUnmarked || found === 'contains';
      if (some) some.hidden = found !== 'extra';
      if (!element.hidden) shown += 1;
      if (fits) fitting += 1;
      if (fits && isUnknown) unknown += 1;
      if (fits && isUnmarked) unmarked += 1;
    }
    for (const part of menu.querySelectorAll('section, .group')) {
      part.hidden = !part.querySelector('.dish:not([hidden])');
    }
    // A link to what is hidden would lead nowhere.
    for (const { hash, parentElement } of nav.querySelectorAll('a')) {
      parentElement.hidden = document.getElementById(hash.slice(1))?.hidden ?? true;
    }
    nav.hidden = !nav.querySelector('li:not([hidden])');
    const say = (text, n) => text.replace('{n}', n);
    const result = shown > 0 ? say(texts.found, shown) : texts.nothing;
    const isOn = words.length > 0 || avoided.size > 0 || wanted.length > 0;
    const hidden = say(texts.hidden, dishes.length - shown);
    const left = [
      hidden,
      unknown > 0 && say(texts.undeclaredHidden, unknown),
      unmarked > 0 && say(texts.unmarkedHidden, unmarked),
    ].filter(Boolean);
    found.textContent = isOn ? `${result} (${left.join('; ')})` : '';
  };
  const choices = createChoices(track, apply);

  input.addEventListener('input', () => {
    apply();
    clearTimeout(typing);
    typing = setTimeout(() => {
      const query = [...input.value.replace(/\s+/g, ' ').trim()].slice(0, MAX_QUERY).join('');
      if (query.length < 2 || query === told) return;
      told = query;
      track('search', { query, results: fitting });
    }, TYPED);
  });

  return {
    /** Takes over a menu whose elements are in the page. */
    take(newTexts) {
      texts = newTexts;
      dishes = readDishes(menu, choices.kinds());
      bestOf = createSearch(dishes);
      apply();
    },
  };
}
