/** Makes an element; texts among the children stay texts, and what is missing is left out. */
export function el(tag, properties, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children.filter((child) => child || child === 0));
  return element;
}

/** A text of the restaurant's with others behind it on its line, none of which it can turn round. */
export function isolated(textContent) {
  return el('span', { className: 'own', textContent });
}

/** Such texts with a dot between them; those that are empty are left out. */
export function sideBySide(...texts) {
  return texts.filter(Boolean).flatMap((text, index) => [index > 0 && ' · ', isolated(text)]);
}

/** A web address as it may stand in a link or picture, else the empty string. */
export function webAddress(text) {
  return /^https?:\/\//i.test(text ?? '') ? text : '';
}
