/** Makes an element; texts among the children stay texts, and what is missing is left out. */
export function el(tag, properties, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children.filter((child) => child || child === 0));
  return element;
}

/** A web address as it may stand in a link or picture, else the empty string. */
export function webAddress(text) {
  return /^https?:\/\//i.test(text ?? '') ? text : '';
}
