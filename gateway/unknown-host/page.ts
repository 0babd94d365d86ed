import { readFileSync } from 'node:fs';
import { createAnswer, PAGE_HEADERS } from '../http/answer.ts';

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
  ...PAGE_HEADERS,
};
const read = (name: string) => readFileSync(new URL(name, import.meta.url));

/** The branded page for hosts that are no tenant: the only answer that is not JSON (SPEC, 6). */
export const unknownHostAnswer = createAnswer(
  '404 Not Found',
  'no-cache',
  HEADERS,
  read('./page.html'),
);
