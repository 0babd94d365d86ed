import assert from 'node:assert/strict';
import { type Logger, pino } from 'pino';
import { logSerializers } from '../../db/runtime/log.ts';

/** Secrets that tests gave out; others are known by their form. */
const issued = new Set<string>();

/** Says that a text is a secret, such as a token, a link, a cookie or a password. */
export function noteSecret(text: string): string {
  issued.add(text);
  return text;
}

/** The form of tokens, links and cookies: letters of both cases and digits without a break. */
const RANDOM = /(?=[\w-]*[a-z])(?=[\w-]*[A-Z])(?=[\w-]*\d)[\w-]{32,}/g;
/** The secrets in a line of a log. */
function secretsIn(line: string): string[] {
  const known = [...issued].filter((secret) => line.includes(secret));
  return [...known, ...(line.match(RANDOM) ?? [])];
}

/** Asserts that no line of a log holds a secret. */
export function assertNoSecrets(lines: readonly string[]): void {
  for (const line of lines) assert.deepEqual(secretsIn(line), [], `a secret in the log: ${line}`);
}

/** The log of a gateway or worker in a test's own process. */
interface CollectedLog {
  log: Logger;
  lines: readonly string[];
  /** Asserts that no line holds a secret, and forgets them. */
  check(): void;
}

export function collectLog(): CollectedLog {
  const lines: string[] = [];
  const settings = { level: 'debug', serializers: logSerializers };
  const log = pino(settings, { write: (line) => void lines.push(line) });
  return { log, lines, check: () => assertNoSecrets(lines.splice(0)) };
}
