import { recall, remember } from './memory.js';

const ADDRESS = '/api/v1/analytics/events';
/** How long events wait for company, in ms. */
const GATHER = 4_000;
const MAX_WAITING = 200;

/** Made by hand: `randomUUID` exists on https only. */
function uuid() {
  return '10000000-1000-4000-8000-100000000000'.replace(/[018]/g, (digit) =>
    (digit ^ (crypto.getRandomValues(new Uint8Array(1))[0] & (15 >> (digit / 4)))).toString(16),
  );
}

/** For browsers that remember nothing. */
let latest;

/** A number for today that says nothing about the guest, and is another one tomorrow. */
function visitor() {
  const day = new Date().toDateString();
  const known = recall('visitor') ?? latest;
  if (known?.day === day) return known.id;
  latest = { day, id: uuid() };
  remember('visitor', latest);
  return latest.id;
}

/**
 * Tells the restaurant what its guests look at: returns `track(type, fields)`. Events travel
 * together; those that were not accepted travel again under the ids that they have, so that none
 * counts twice. Whatever goes wrong, the menu does not suffer.
 */
export function createTracker() {
  let waiting = [];
  let isDue = false;

  const later = (wait) => {
    if (!isDue) setTimeout(send, wait);
    isDue = true;
  };
  const send = async () => {
    isDue = false;
    const events = waiting;
    waiting = [];
    if (events.length === 0) return;
    let wait = 0;
    try {
      const headers = { 'Content-Type': 'application/json' };
      const body = JSON.stringify({ events });
      const response = await fetch(ADDRESS, { method: 'POST', headers, body, keepalive: true });
      if (response.status === 429 || response.status >= 500) {
        wait = Number(response.headers.get('Retry-After')) * 1_000 || 30_000;
      }
    } catch {
      // There is no connection at the moment.
      wait = 30_000;
    }
    if (wait === 0) return;
    waiting = [...events, ...waiting].slice(-MAX_WAITING);
    later(wait);
  };
  // A guest who leaves the page may not come back: a beacon takes the events that are left.
  document.addEventListener('visibilitychange', () => {
    // A beacon that is given away without a connection is taken, and lost.
    if (!document.hidden || waiting.length === 0 || !navigator.onLine) return;
    const body = new Blob([JSON.stringify({ events: waiting })], { type: 'application/json' });
    if (navigator.sendBeacon(ADDRESS, body)) waiting = [];
  });

  return (type, fields) => {
    waiting.push({ id: uuid(), type, visitor_id: visitor(), ...fields });
    later(GATHER);
  };
}
