import { randomBytes } from 'node:crypto';

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
  const bytes = randomBytes(16);
  bytes.writeUIntBE(lastTime, 0, 6);
  bytes.writeUInt16BE(0x7000 | counter, 6);
  bytes[8] = 0x80 | ((bytes[8] as number) & 0x3f);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
