import { el, isolated, sideBySide, webAddress } from './element.js';

/**
 * A text of the restaurant's. One that is not there in the reader's language says in which one it
 * is; in which direction it runs, its letters say.
 */
export function translated(tag, className, value, translations, locale, more) {
  if (!value) return null;
  const isForeign = translations && !translations[locale];
  const lang = isForeign && Object.keys(translations).find((code) => translations[code] === value);
  return el(tag, { className, textContent: value, dir: 'auto', ...(lang && { lang }), ...more });
}

function wineryLine({ name, region, country }) {
  const place = [region, country].filter(Boolean).join(', ');
  const shown = { className: 'winery', translate: false, dir: 'auto' };
  return el('span', shown, ...sideBySide(name, place));
}

/** Between two numbers: a line may end behind the dot, and never before it. */
const DOT = '\u2009\u2060·\u2009';

/** The numbers under which the legend has a dish's allergens. */
function allergenMarks({ allergens }, labels) {
  const numbers = allergens.map((key) => labels.get(key)?.number).filter(Boolean);
  if (numbers.length === 0) return '';
  const textContent = numbers.sort((a, b) => a - b).join(DOT);
  return el('sup', { className: 'marks', ariaHidden: 'true', textContent });
}

/** What an opened dish shows: its allergens by name, its wine's maker; null for nothing. */
function details({ allergens, winery }, { labels, texts, locale }) {
  const names = allergens.map((key) => labels.get(key)?.name ?? key).join(', ');
  const href = webAddress(winery?.website);
  const link = { href, target: '_blank', rel: 'noopener', dir: 'auto', textContent: winery?.name };
  const parts = [
    names && el('p', {}, el('strong', { textContent: `${texts.contains}: ` }), names),
    winery && translated('p', '', winery.description, winery.description_translations, locale),
    href && el('p', {}, el('a', link)),
  ].filter(Boolean);
  return parts.length > 0 ? el('div', { className: 'more' }, ...parts) : null;
}

/** Makes the function that makes a dish's element; see `createRenderer`. */
export function createDishRenderer(context) {
  const { settings, locale, labels, texts } = context;
  const price = new Intl.NumberFormat(locale, { style: 'currency', currency: 'EUR' });
  const { recommended_label: textContent, default_locale } = settings;
  const tip = { className: 'tip', lang: default_locale, dir: 'auto', textContent };
  // A restaurant that has no words for it recommends with a star, which says what it is.
  const said = { role: 'img', lang: locale, title: texts.recommended };
  const star = { className: 'star', textContent: '★', ...said };
  return (dish) => {
    const { name, name_translations, description, description_translations } = dish;
    const title = translated('span', '', name, name_translations, locale);
    const hasStar = dish.is_recommended && !textContent;
    const signs = [hasStar ? el('span', star) : '', allergenMarks(dish, labels)];
    title?.replaceChildren(isolated(name), ...signs);
    const head = [
      el(
        'span',
        { className: 'line' },
        el('span', { className: 'name' }, title),
        el('span', { className: 'price', textContent: price.format(dish.price) }),
      ),
      dish.winery && wineryLine(dish.winery),
      translated('span', 'description', description, description_translations, locale),
      dish.is_recommended && textContent && el('span', tip),
    ];
    const more = details(dish, context);
    return el(
      'li',
      { className: dish.is_recommended ? 'dish recommended' : 'dish', id: `dish-${dish.id}` },
      more ? el('details', {}, el('summary', {}, ...head), more) : el('div', {}, ...head),
    );
  };
}
