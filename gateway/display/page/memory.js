/** The value that is stored under `key`, or null. */
export function recall(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    // Storage is forbidden here, or another program wrote into it: nothing is remembered.
    return null;
  }
}

/** Remembers a value for the next visit, where the browser allows it. */
export function remember(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Storage is forbidden or full: the display works without.
  }
}
