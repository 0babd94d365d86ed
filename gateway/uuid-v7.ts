import { randomUUID } from 'node:crypto';

const COUNTER_BITS = 12;
let lastTime = 0;
let counter = 0;

/**
 * A UUID of version 7 (RFC 9562, 5.7): the time in milliseconds, then a counter, so that those of
 * one process stand in the order in which they were made.
 */
export function makeUuidV7(): string {
  const now = Date.now();
  if (now > lastTime) {
    lastTime = now;
    counter = 0;
  } else {
    counter += 1;
    // More than the counter holds in one millisecond, or a clock that was set back.
    if (counter >> COUNTER_BITS) {
      lastTime += 1;
      counter = 0;
    }
  }
  const time = lastTime.toString(16).padStart(12, '0');
  // Node has the random bits of many ready, and calls the system for those of one.
  const variantAndRest = randomUUID().slice('xxxxxxxx-xxxx-4xxx-'.length);
  const versionAndCounter = (0x7000 | counter).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-${versionAndCounter}-${variantAndRest}`;
}
