import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../stage/free-port.ts';

const root = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);

/** A process of the service, started for a measurement. */
export interface Process {
  pid: number;
  /** Resolves when the process is gone. */
  end(signal: NodeJS.Signals): Promise<void>;
}

/** Resolves when the process says that it takes work. */
async function untilReady(child: ChildProcess, opsPort: number): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the process ended with ${child.exitCode}`);
    const ready = await fetch(`http://127.0.0.1:${opsPort}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (ready) return;
    await new Promise((again) => setTimeout(again, 50));
  }
}

/** The service's processes and its operators' commands, against one database. */
export interface Service {
  /** Starts a gateway, on a port of its own or beside others, and resolves when it is ready. */
  startGateway(port?: number): Promise<{ process: Process; port: number }>;
  startWorker(): Promise<Process>;
  /** Runs one command of the operators and returns what it prints. */
  command<T>(...args: string[]): Promise<T>;
  /** Ends every process that still runs. */
  stop(): Promise<void>;
}

export function createService(databaseUrl: string): Service {
  const running = new Set<Process>();
  const env = { ...process.env, DATABASE_URL: databaseUrl };

  const start = async (file: string, port: number): Promise<Process> => {
    const opsPort = await freePort();
    const child = spawn(process.execPath, ['--import', 'tsx', file], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...env,
        PORT: String(port),
        OPS_PORT: String(opsPort),
        LIMIT_PUBLIC: '100000',
        LIMIT_ADMIN: '100000',
        LOG_LEVEL: 'fatal',
      },
    });
    const gone = once(child, 'exit');
    const started: Process = {
      pid: child.pid as number,
      end: async (signal) => {
        running.delete(started);
        child.kill(signal);
        await gone;
      },
    };
    running.add(started);
    await untilReady(child, opsPort);
    return started;
  };

  return {
    startGateway: async (shared) => {
      const port = shared ?? (await freePort());
      return { process: await start('gateway/main.ts', port), port };
    },
    startWorker: async () => start('workers/main.ts', await freePort()),
    command: async <T>(...args: string[]) => {
      const command = ['--import', 'tsx', 'db/cli/main.ts', ...args];
      const options = { cwd: root, env, maxBuffer: 64 * 1_048_576 };
      return JSON.parse((await run(process.execPath, command, options)).stdout) as T;
    },
    stop: async () => {
      await Promise.all([...running].map((one) => one.end('SIGTERM')));
    },
  };
}
