import { adminHeaders, runCli } from '../processes/cli.ts';
import { type Member, startMember } from '../processes/service-process.ts';

/** The service's processes and its operators' commands, against one database. */
export interface Service {
  /** Starts a gateway, on a port of its own or beside others, and resolves when it is ready. */
  startGateway(port?: number): Promise<Member>;
  startWorker(): Promise<Member>;
  /** Runs one command of the operators and returns what it prints. */
  command<T>(...args: string[]): Promise<T>;
  /** The headers of someone who may change the restaurant's menu. */
  adminHeaders(slug: string): Promise<Record<string, string>>;
  /** Ends every process that still runs. */
  stop(): Promise<void>;
}

export function createService(databaseUrl: string): Service {
  const running = new Set<Member>();
  const env = { DATABASE_URL: databaseUrl };
  const start = async (file: Member['file'], port?: number): Promise<Member> => {
    const member = await startMember(file, databaseUrl, { port, env: { LOG_LEVEL: 'fatal' } });
    const started: Member = {
      ...member,
      stop: () => {
        running.delete(started);
        return member.stop();
      },
      kill: () => {
        running.delete(started);
        return member.kill();
      },
    };
    running.add(started);
    return started;
  };
  return {
    startGateway: (port) => start('gateway/main.ts', port),
    startWorker: () => start('workers/main.ts'),
    command: (...args) => runCli(env, ...args),
    adminHeaders: (slug) => adminHeaders(env, slug),
    stop: async () => {
      await Promise.all([...running].map((one) => one.stop()));
    },
  };
}
