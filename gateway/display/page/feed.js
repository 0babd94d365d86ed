import { recall, remember } from './memory.js';

const TIMEOUT = 10_000;
const LONGEST_WAIT = 300_000;
/** How long the first answer may take before the menu of the last visit is shown. */
const PATIENCE = 1_500;

/** Reads a path of the API; resolves to `held` itself when that is still good. */
async function read(path, held) {
  const response = await fetch(`/api/v1${path}`, {
    headers: held ? { 'If-None-Match': held.etag } : {},
    cache: 'no-store',
    // Screens that hang on walls may be older than it; they wait for as long as they do by themselves.
    signal: AbortSignal.timeout?.(TIMEOUT),
  });
  if (response.status === 304) return held;
  if (response.ok) return { etag: response.headers.get('ETag'), ...(await response.json()) };
  const error = new Error(`${path} answers ${response.status}`);
  error.retryAfter = Number(response.headers.get('Retry-After')) * 1_000;
  throw error;
}

/**
 * Keeps the menu of one language fresh. `onMenu` is called, and waited for, with the answers of `/menu` and
 * `/allergens` when there is something new to show, `onState` after each attempt with the time at
 * which the menu was last known to be good (or null) and whether it is so now.
 *
 * @param every pause between two questions, in ms; displays spread around it
 * @param always whether to ask on while nobody looks at the page
 */
export function followMenu({ locale, every, always, onMenu, onState }) {
  const key = `menu/${locale}`;
  let held = recall(key);
  let goodAt = held && recall(`${key}/good`);
  let failures = 0;
  let asked = 0;
  let shown = false;
  let busy = false;
  let missed = false;
  let over = false;
  let timer;

  const show = async () => {
    await onMenu(held.menu, held.allergens);
    shown = true;
  };
  const update = async () => {
    const menu = await read(`/menu/${locale}`, held?.menu);
    const isNew = menu !== held?.menu;
    if (isNew) {
      held = { menu, allergens: await read(`/allergens?locale=${locale}`, held?.allergens) };
    }
    if (over) return;
    if (isNew) remember(key, held);
    goodAt = Date.now();
    remember(`${key}/good`, goodAt);
    if (isNew || !shown) await show();
  };
  const turn = async () => {
    if (busy || over) return;
    missed = document.hidden && !always;
    if (missed) return;
    busy = true;
    asked = Date.now();
    let wait = every;
    try {
      await update();
      failures = 0;
    } catch (error) {
      console.warn(error);
      failures += 1;
      wait = Math.max(error.retryAfter || 0, Math.min(every * 2 ** failures, LONGEST_WAIT));
      if (held && !shown && !over) await show().catch(console.warn);
    }
    busy = false;
    if (over) return;
    clearTimeout(timer);
    timer = setTimeout(turn, wait * (1 + Math.random() * 0.3));
    await onState(goodAt, failures === 0);
  };
  // A hidden page's turn passes unused; it is made good when somebody looks again. Timers stand still
  // while a device sleeps, its clock does not, but may be set back.
  const look = () => {
    if (!document.hidden && (missed || Date.now() - asked > every)) void turn();
  };
  const hurry = () => {
    if (failures > 0) void turn();
  };

  document.addEventListener('visibilitychange', look);
  addEventListener('online', hurry);
  const impatience = setTimeout(() => {
    if (held && !shown) show().catch(console.warn);
  }, PATIENCE);
  void turn();
  return () => {
    over = true;
    clearTimeout(timer);
    clearTimeout(impatience);
    document.removeEventListener('visibilitychange', look);
    removeEventListener('online', hurry);
  };
}
