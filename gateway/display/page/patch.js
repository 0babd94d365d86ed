// Brings the page from one document of the server's to the next. Only the difference between the two
// documents is applied, so parts stay as the page's script and the reader left them: open, hidden,
// typed or focused.

const hasText = (element) =>
  [...element.childNodes].some(({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.trim());

/** Names an element among its siblings: by its id, else by its kind and its place among equals. */
function keysOf(element) {
  const counts = new Map();
  return [...element.children].map(({ id, localName, className }) => {
    if (id) return id;
    const kind = `${localName}.${className}`;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return `${kind}/${count}`;
  });
}

function patchAttributes(live, former, next) {
  for (const name of former.getAttributeNames()) {
    if (!next.hasAttribute(name)) live.removeAttribute(name);
  }
  for (const name of next.getAttributeNames()) {
    const value = next.getAttribute(name);
    if (former.getAttribute(name) !== value) live.setAttribute(name, value);
  }
}

function patchChildren(live, former, next) {
  const keys = keysOf(former);
  const places = new Map(keys.map((key, index) => [key, index]));
  const lives = [...live.children];
  const wanted = keysOf(next).map((key, index) => {
    const child = next.children[index];
    const place = places.get(key);
    const present = lives[place];
    if (place === undefined || present.localName !== child.localName) {
      return document.importNode(child, true);
    }
    patch(present, former.children[place], child);
    return present;
  });
  for (const child of lives) if (!wanted.includes(child)) child.remove();
  // Moving an element would take its focus away, so those that are in place stay untouched.
  wanted.forEach((child, index) => {
    const there = live.children[index];
    if (there !== child) live.insertBefore(child, there ?? null);
  });
}

/**
 * Changes `live` in the way in which `next` differs from `former`.
 *
 * @param former the server's element from which `live` was made
 * @param next the server's element that takes its place
 */
export function patch(live, former, next) {
  if (former.isEqualNode(next)) return;
  patchAttributes(live, former, next);
  const isText = hasText(former) || hasText(next);
  if (isText || live.children.length !== former.children.length) {
    live.textContent = '';
    live.append(...document.importNode(next, true).childNodes);
  } else {
    patchChildren(live, former, next);
  }
}
