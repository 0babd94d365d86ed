import { after } from 'node:test';
import type { Running } from '../../db/runtime/running.ts';

/** A way to start a service that stops when the tests of the file have ended that started it. */
export const forFile =
  <Args extends unknown[], Service extends Pick<Running, 'stop'>>(
    start: (...args: Args) => Promise<Service>,
  ) =>
  async (...args: Args): Promise<Service> => {
    const service = await start(...args);
    after(() => service.stop());
    return service;
  };
