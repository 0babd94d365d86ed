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

/** How to end what the files of this process share, in the order of the starts. */
const shared: (() => Promise<unknown>)[] = [];
let doesShare = false;

/** Lets the files of this process share services, until `endShared`. */
export function beginShared(): void {
  doesShare = true;
}

/** Whether the files of this process share services: one that is no test has all for itself. */
export const isSharing = () => doesShare;

/** Runs `stop` when the last file of the process has ended. */
export function afterFiles(stop: () => Promise<unknown>): void {
  shared.push(stop);
}

/** Ends what the files have shared: what was started last comes first. */
export async function endShared(): Promise<void> {
  for (const stop of shared.splice(0).reverse()) await stop();
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
