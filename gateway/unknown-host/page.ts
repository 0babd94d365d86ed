import { readFileSync } from 'node:fs';
import { type Answer, headOf } from '../http/answer.ts';

/** The branded page for hosts that are no tenant: the only answer that is not JSON (SPEC, 6). */
export const unknownHostAnswer: Answer = {
  status: '404 Not Found',
  head: headOf('no-cache', {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
    'X-Content-Type-Options': 'nosniff',
  }),
  body: readFileSync(new URL('./page.html', import.meta.url)),
};
