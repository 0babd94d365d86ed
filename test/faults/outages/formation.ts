import { nodeCommand } from '../../../bench/processes/child.ts';
import { freePort } from '../../../bench/processes/free-port.ts';
import {
  type ServiceProcess,
  startServiceProcess,
} from '../../../bench/processes/service-process.ts';
import type { Constants } from '../../../db/runtime/constants.ts';

export interface Formation {
  /** The port on which all gateways listen. */
  port: number;
  members: readonly ServiceProcess[];
  /** Ends one by SIGTERM and puts another in its place; says how long it took to end, in ms. */
  replace(member: ServiceProcess): Promise<number>;
  /** Ends all; rejects when one does not end with exit code 0. */
  stop(): Promise<void>;
}

export interface FormationOptions {
  databaseUrl: string;
  gateways: number;
  workers: number;
  env?: Record<string, string>;
  /** Constants in which processes differ from an installation's. */
  changed?: Partial<Constants>;
}

/** The last words of a process that could not connect to Postgres in time. */
const TOO_LATE = /cannot be reached: timeout expired/;

/** Ends it and says how long that took, in ms. */
async function end(member: ServiceProcess): Promise<number> {
  const startedAt = performance.now();
  await member.stop();
  return performance.now() - startedAt;
}

/** Starts gateways on one port, and workers; resolves when all of them are ready. */
export async function startFormation(options: FormationOptions): Promise<Formation> {
  const port = await freePort();
  const { databaseUrl, changed } = options;
  const constants = changed && { CONSTANTS: JSON.stringify(changed) };
  const env = { LOG_LEVEL: 'info', ...constants, ...options.env };
  const start = async (file: ServiceProcess['file']): Promise<ServiceProcess> => {
    const command = changed && nodeCommand('test/support/changed-process.ts', file);
    try {
      return await startServiceProcess(file, databaseUrl, { port, env, command });
    } catch (error) {
      // On a busy machine. A supervisor starts it again, too.
      if (TOO_LATE.test((error as Error).message)) return start(file);
      throw error;
    }
  };
  const files: ServiceProcess['file'][] = [
    ...new Array<ServiceProcess['file']>(options.gateways).fill('gateway/main.ts'),
    ...new Array<ServiceProcess['file']>(options.workers).fill('workers/main.ts'),
  ];
  const members: ServiceProcess[] = [];
  const stop = async () => {
    const ends = await Promise.allSettled(members.splice(0).map(end));
    const failed = ends.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
    if (failed) throw failed.reason;
  };
  try {
    const starts = await Promise.allSettled(files.map(start));
    for (const start of starts) if (start.status === 'fulfilled') members.push(start.value);
    const failed = starts.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
    if (failed) throw failed.reason;
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    port,
    members,
    replace: async (member) => {
      const took = await end(member);
      members[members.indexOf(member)] = await start(member.file);
      return took;
    },
    stop,
  };
}
