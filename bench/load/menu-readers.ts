import { nodeCommand, startChild } from '../processes/child.ts';

/** Displays that read menus at a steady rate, in a process of their own. */
export interface MenuReaders {
  /** Response times in milliseconds since the last call. */
  take(): Promise<number[]>;
  stop(): Promise<void>;
}

export async function startMenuReaders(
  port: number,
  slugs: readonly string[],
  readsPerSecond: number,
): Promise<MenuReaders> {
  const args = [String(port), String(readsPerSecond), slugs.join(',')];
  const child = await startChild(nodeCommand('bench/load/menu-reader.ts', ...args), {
    channel: true,
  });
  await child.message<number[]>();
  return {
    take: () => {
      const times = child.message<number[]>();
      child.send({});
      return times;
    },
    stop: child.stop,
  };
}
