import { after } from 'node:test';
import type { Running } from '../../db/runtime/running.ts';

/** How to stop the services of the file whose tests run, in the order of their starts. */
const started: (() => Promise<unknown>)[] = [];

async function stopAll(): Promise<void> {
  for (const stop of started.splice(0).reverse()) await stop();
}

/** Runs `stop` when the tests of the file have ended: before that of what the file started earlier. */
export function afterFile(stop: () => Promise<unknown>): void {
  if (started.length === 0) after(stopAll);
  started.push(stop);
}

/**
 * A way to start a service that stops when the tests of the file have ended that started it: before
 * those that the file started earlier, which it may use.
 */
export const forFile =
  <Args extends unknown[], Service extends Pick<Running, 'stop'>>(
    start: (...args: Args) => Promise<Service>,
  ) =>
  async (...args: Args): Promise<Service> => {
    const service = await start(...args);
    afterFile(() => service.stop());
    return service;
  };
