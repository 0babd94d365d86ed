// The settings of a screen: those of the panel where it has a place, else those of its address.
import { createAbort } from './abort.js';
import { recall, remember } from './memory.js';

const ADDRESS = '/screen/settings';
/** How long an answer may take, in ms. */
const TIMEOUT = 10_000;

const DEFAULTS = {
  name: '',
  section_ids: [],
  languages: [],
  page_seconds: null,
  columns: null,
  orientation: 'auto',
  text_size: 'normal',
  hide_sold_out: false,
  part: 1,
  parts: 1,
  name_for: 0,
  bundle_keys: [],
};

const between = (text, min, max) => {
  const number = Number(text);
  return Number.isInteger(number) && number >= min && number <= max ? number : null;
};
const listOf = (text) => (text ?? '').split(',').filter(Boolean);

/** The settings that an address has in its parameters; what it has wrongly counts as missing. */
function settingsIn(search) {
  const parameters = new URLSearchParams(search);
  const [part = 1, parts = 1] = (parameters.get('part') ?? '').split('/').map(Number);
  const isPart = Number.isInteger(part) && Number.isInteger(parts) && part >= 1 && part <= parts;
  return {
    ...DEFAULTS,
    section_ids: listOf(parameters.get('sections')).map(Number).filter(Number.isInteger),
    languages: listOf(parameters.get('languages')),
    page_seconds: between(parameters.get('seconds') ?? '', 3, 600),
    columns: between(parameters.get('columns') ?? '', 1, 2),
    orientation: parameters.get('orientation') ?? 'auto',
    text_size: parameters.get('text') ?? 'normal',
    hide_sold_out: parameters.get('hide_sold_out') === '1',
    ...(isPart && { part, parts }),
  };
}

/** The answer to a question for the settings; null when the screen has lost its place. */
async function fetchSettings() {
  const asking = createAbort();
  const timeout = setTimeout(() => asking.abort(), TIMEOUT);
  try {
    const response = await fetch(ADDRESS, {
      cache: 'no-store',
      credentials: 'same-origin',
      signal: asking.signal,
    });
    if (response.status === 404) return null;
    if (!response.ok) throw new Error(`the settings answer ${response.status}`);
    return await response.json();
  } finally {
    clearTimeout(timeout);
  }
}

/**
 * Makes the settings of this screen. Those that it had last hold until it has heard of others.
 *
 * @param hasPlace whether the panel has them
 * @param given those of a file from a stick; null elsewhere
 * @param onChange called with them when they are others
 */
export function createSettings(hasPlace, given, onChange) {
  const known = given || (hasPlace ? recall('settings') : settingsIn(location.search));
  let present = { ...DEFAULTS, ...known, name_for: 0 };
  return {
    present: () => present,
    /** Trusts menus from sticks that another key has signed, too. */
    trust: (key) => {
      const keys = present.bundle_keys.filter((one) => one !== key);
      present = { ...present, bundle_keys: [...keys, key] };
      remember('settings', present);
    },
    /** Asks the server for them, where the screen has a place; rejects when it does not answer. */
    ask: async () => {
      if (!hasPlace) return;
      const next = await fetchSettings();
      // Without its place the same address shows letters.
      if (next === null) {
        remember('settings', null);
        location.reload();
        return;
      }
      // Without its database the gateway does not know the keys.
      next.bundle_keys = next.bundle_keys || present.bundle_keys;
      const isNew = JSON.stringify(next) !== JSON.stringify(present);
      present = next;
      remember('settings', next);
      if (isNew) onChange(next);
    },
  };
}
