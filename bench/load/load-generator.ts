import { type Child, nodeCommand, startChild } from '../processes/child.ts';
import { pin } from '../processes/cores.ts';
import type { LoadJob, LoadMessage, LoadReport } from './job.ts';

/** Sends load from a process of its own. */
export interface LoadGenerator {
  /** @throws when an answer was missing or not what the job expects */
  run(job: LoadJob): Promise<LoadReport>;
  stop(): Promise<void>;
}

export async function startLoadGenerator(): Promise<LoadGenerator> {
  const command = pin('load', nodeCommand('bench/load/driver.ts'));
  const child: Child = await startChild(command, { channel: true });
  await child.message<LoadMessage>();
  return {
    run: async (job) => {
      const answer = child.message<LoadMessage>();
      child.send(job);
      const message = await answer;
      if ('report' in message) return message.report;
      throw new Error(
        'failure' in message ? message.failure : 'the load generator sent an unknown message',
      );
    },
    stop: child.stop,
  };
}
