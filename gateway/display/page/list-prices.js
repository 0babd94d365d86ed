// Dishes as the page shows them, with their prices: the list reads no other source, so that it is as
// fresh as the menu.

const amountOf = (element) =>
  element && element.dataset.amount !== undefined ? Number(element.dataset.amount) : null;
const textOf = (element) => element.textContent.replace(/\u00ad/g, '').trim();

function readSize(element, index) {
  return {
    index,
    label: textOf(element.firstElementChild),
    amount: amountOf(element.querySelector('.price')),
    isSoldOut: element.classList.contains('gone-option'),
    isSize: true,
  };
}

function readOption(element, index) {
  return {
    index,
    label: textOf(element.firstElementChild),
    amount: amountOf(element.querySelector('.extra')) || 0,
    isSoldOut: element.classList.contains('gone-option'),
    most: Number(element.querySelector('[data-max]')?.dataset.max || 1),
  };
}

function readGroup(element) {
  const count = element.querySelector('small');
  return {
    name: textOf(element.querySelector('strong')),
    rule: count ? textOf(count) : '',
    isOne: element.dataset.one !== undefined,
    options: [...element.querySelectorAll('.option')].map(readOption),
  };
}

/** A dish of a document by its id; null where the document has none. */
export function readDish(page, id) {
  const item = page.getElementById(`dish-${id}`);
  if (!item) return null;
  const groups = [...item.querySelectorAll('.more > .options')].map(readGroup);
  const names = [...item.querySelectorAll('.name .own')];
  const offers = [...item.querySelectorAll('.offer.holds:not([hidden]) .price')].map(amountOf);
  const usual = amountOf(item.querySelector('.line > .price'));
  const code = item.querySelector('.name .code');
  return {
    name: names.find((own) => !own.closest('.code')) || item,
    /** The number by which guests order it; empty without one. */
    code: code ? textOf(code) : '',
    sizes: [...item.querySelectorAll('.sizes > .size')].map(readSize),
    groups,
    /** The price that holds now without a size; null when guests ask for it. */
    amount: offers.length > 0 ? Math.min(...offers) : usual,
    isAsked: item.querySelector('.asked') !== null,
    isSoldOut: item.classList.contains('sold-out'),
    option: (path) => {
      const [group, option] = path.split('/').map(Number);
      return groups[group]?.options[option];
    },
  };
}

/** The price of one, with the chosen size and options; null when the menu states none. */
export function sumOf({ amount }, parts) {
  const sized = parts.find(({ isSize }) => isSize);
  const base = sized ? sized.amount : amount;
  if (base === null) return null;
  return parts.filter((part) => part !== sized).reduce((sum, part) => sum + part.amount, base);
}

/** Makes the function that writes amounts of the restaurant's currency. */
export function createMoney({ lang, dataset }) {
  const { currency, decimals } = dataset;
  const usual = new Intl.NumberFormat(lang, { style: 'currency', currency });
  const exact = new Intl.NumberFormat(lang, {
    ...{ style: 'currency', currency },
    ...{ minimumFractionDigits: Number(decimals), maximumFractionDigits: Number(decimals) },
  });
  const places = usual.resolvedOptions().maximumFractionDigits;
  return (amount) =>
    (Math.abs(Number(amount.toFixed(places)) - amount) < 1e-9 ? usual : exact).format(amount);
}
