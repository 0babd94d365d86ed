import type { Random } from '../../../bench/load/random.ts';

const TEXTS = [
  ...['', ' ', 'Gricia', 'it', 'xx', '0', '1', '-1', '2', 'true', '1e3', '0x10', '2147483648'],
  ...['9'.repeat(40), '\0', 'a\0b', '\ud800', '\udfff x', '𝕏🍝', 'é́', '\u202e\u200b\ufeff'],
  ...['__proto__', 'constructor', 'toString', '../../etc/passwd', "' or 1=1 --"],
  ...['<script>alert(1)</script>', '%00%ff%', '#FFAA00', '12:30', '2026-02-30', '0000-01-01'],
  ...['https://example.com/x', 'javascript:alert(1)', 'a'.repeat(300), 'è'.repeat(3_000)],
] as const;

const NUMBERS = [0, -0, 1, -1, 0.1, 12.345, 2 ** 31, 2 ** 53, 1e308, -1e308, 5e-324] as const;

export function oddText(random: Random): string {
  if (random.below(4) > 0) return random.pick(TEXTS);
  const units = Array.from({ length: random.below(12) }, () => random.below(0x10000));
  return String.fromCharCode(...units);
}

const DEPTH = 4;

/** Any value that JSON can carry; objects and lists are not deep. */
export function oddValue(random: Random, depth = 0): unknown {
  switch (random.below(depth < DEPTH ? 9 : 6)) {
    case 0:
      return null;
    case 1:
      return random.next() < 0.5;
    case 2:
      return random.pick(NUMBERS);
    case 3:
      return random.below(200);
    case 4:
    case 5:
      return oddText(random);
    case 6:
      return Array.from({ length: random.below(5) }, () => oddValue(random, depth + 1));
    default:
      return oddObject(random, depth + 1);
  }
}

const LOCALES = ['it', 'en', 'fr', 'de', 'es', 'xx', '__proto__', 'constructor'] as const;

function oddObject(random: Random, depth: number): Record<string, unknown> {
  const entries = Array.from({ length: random.below(5) }, (): [string, unknown] => [
    random.next() < 0.7 ? random.pick(LOCALES) : oddText(random),
    oddValue(random, depth),
  ]);
  // Unlike an assignment this makes `__proto__` a field like any other.
  return Object.fromEntries(entries);
}

/** Bytes that are no text. */
export function oddBytes(random: Random, most: number): Buffer {
  return Buffer.from(Array.from({ length: random.below(most) }, () => random.below(256)));
}

/** A copy with some of its bytes changed, taken away or repeated. */
export function garble(random: Random, bytes: Buffer): Buffer {
  let garbled = bytes;
  for (let changes = 1 + random.below(4); changes > 0; changes -= 1) {
    const at = random.below(garbled.length + 1);
    const rest = at + random.below(8);
    const again = garbled.subarray(at, rest + 20);
    const put = random.pick([Buffer.alloc(0), oddBytes(random, 8), again]);
    garbled = Buffer.concat([garbled.subarray(0, at), put, garbled.subarray(rest)]);
  }
  return garbled;
}
