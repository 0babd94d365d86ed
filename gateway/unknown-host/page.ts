import { readFileSync } from 'node:fs';
import { createAnswer } from '../http/answer.ts';

/** The branded page for hosts that are no tenant: the only answer that is not JSON (SPEC, 6). */
export const unknownHostAnswer = createAnswer(
  '404 Not Found',
  'no-cache',
  {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
    'X-Content-Type-Options': 'nosniff',
  },
  readFileSync(new URL('./page.html', import.meta.url)),
);
