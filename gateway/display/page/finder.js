import { createChoices } from './choices.js';
import { fold } from './fold.js';

/** How long somebody must have stopped typing for the words to be what they look for, in ms. */
const TYPED = 1_200;
/** In characters, of which an emoji is one: the gateway refuses half of one. */
const MAX_QUERY = 200;

/** The search field and the allergen filter: both hide dishes of the menu, and links to them. */
export function createFinder(menu, track) {
  const input = document.getElementById('search');
  const found = document.getElementById('found');
  const nav = document.getElementById('sections');
  let dishes = [];
  let texts;
  let typing;

  const apply = () => {
    const words = fold(input.value).split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const { element, text, allergens } of dishes) {
      const fits = words.every((word) => text.includes(word));
      element.hidden = !fits || choices.avoids(allergens);
      if (!element.hidden) shown += 1;
    }
    for (const part of menu.querySelectorAll('section, .group')) {
      part.hidden = !part.querySelector('.dish:not([hidden])');
    }
    // A link to what is hidden would lead nowhere.
    for (const { hash, parentElement } of nav.querySelectorAll('a')) {
      parentElement.hidden = document.getElementById(hash.slice(1)).hidden;
    }
    nav.hidden = !nav.querySelector('li:not([hidden])');
    const say = (text, n) => text.replace('{n}', n);
    const result = shown > 0 ? say(texts.found, shown) : texts.nothing;
    const isOn = words.length > 0 || choices.count() > 0;
    found.textContent = isOn ? `${result} (${say(texts.hidden, dishes.length - shown)})` : '';
  };
  const choices = createChoices(track, apply);

  input.addEventListener('input', () => {
    apply();
    clearTimeout(typing);
    typing = setTimeout(() => {
      const query = [...input.value.replace(/\s+/g, ' ').trim()].slice(0, MAX_QUERY).join('');
      if (query.length > 1) track('search', { query });
    }, TYPED);
  });

  return {
    /** Takes over a menu whose elements are in the page, with its labels and texts. */
    take(sections, labels, newTexts) {
      if (texts !== newTexts) {
        texts = newTexts;
        input.placeholder = texts.search;
        input.ariaLabel = texts.search;
        choices.speak(labels, texts);
      }
      dishes = sections.flatMap(({ items }) =>
        items.map(({ id, name, description, allergens }) => ({
          element: document.getElementById(`dish-${id}`),
          text: fold(`${name} ${description}`),
          allergens,
        })),
      );
      apply();
    },
  };
}
