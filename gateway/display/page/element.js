/** Makes an element; texts among the children stay texts, and what is missing is left out. */
export function el(tag, properties, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children.filter(Boolean));
  return element;
}
