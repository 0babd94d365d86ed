import { readFileSync } from 'node:fs';

/** Whether a test file mocks timers: a service in its process loses those that it sets then. */
export const mocksTimers = (file: string): boolean =>
  readFileSync(file, 'utf8').includes('timers.enable(');
