import { startDoer } from '../processes/child.ts';
import { type Running, running } from '../processes/running.ts';

/** The state for which a process of followers waits. */
export type FollowerTask =
  /** Opens streams. */
  | {
      kind: 'open';
      count: number;
      port: number;
      hosts: string[];
      path: string;
      areScreens: boolean;
    }
  /** All streams have been opened anew. */
  | { kind: 'reopen' }
  /** All streams have been told of a version. */
  | { kind: 'version'; version: number };

/** Streams that have done it. */
export interface Followed {
  /** At which each has, in ms since 1970. */
  moments: Float64Array;
  /** How many attempts to open one have been refused since the process began, by their status. */
  refused: Record<string, number>;
}

/** Displays that follow one restaurant on one gateway, in a process of their own. */
export interface StreamFollowers extends Running {
  /** Opens streams; resolves when all are open, with the moments at which each was. */
  open(count: number, port: number, host: string): Promise<Float64Array>;
  /** The same for the screens of `screenCookie`, which take turns in the hosts, and try again. */
  openScreens(count: number, port: number, hosts: string[]): Promise<Followed>;
  /** Resolves when each stream has ended and is open again. */
  reopened(): Promise<Float64Array>;
  /** Resolves when each stream has been told of the version, with the moments at which it was. */
  told(version: number): Promise<Float64Array>;
}

const PATH = '/display/stream';
const SCREEN_PATH = `${PATH}?screen=1&width=1920&height=1080`;

export async function startStreamFollowers(): Promise<StreamFollowers> {
  const { run: follow, stop } = await startDoer<FollowerTask, Followed>(
    'bench/load/stream-follower.ts',
  );
  const run = async (task: FollowerTask) => (await follow(task)).moments;
  return running({
    open: (count, port, host) =>
      run({ kind: 'open', count, port, hosts: [host], path: PATH, areScreens: false }),
    openScreens: (count, port, hosts) =>
      follow({ kind: 'open', count, port, hosts, path: SCREEN_PATH, areScreens: true }),
    reopened: () => run({ kind: 'reopen' }),
    told: (version) => run({ kind: 'version', version }),
    stop,
  });
}
