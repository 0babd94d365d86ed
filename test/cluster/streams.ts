import { setTimeout as sleep } from 'node:timers/promises';
import { type EventStream, openEventStream, type VersionEvent } from '../support/event-stream.ts';

export interface StreamReport {
  /** Connections, and those that an answer other than 200 refused. */
  opened: number;
  refused: number;
  events: number;
  /** Connections on which a version or an epoch came that was older than one before it. */
  wentBack: number;
}

/** One display that follows a menu on one connection after the other. */
interface Follower {
  /** The newest version that it was told of. */
  version(): number;
  stop(): Promise<StreamReport>;
}

const POLL_MS = 50;
const RETRY_MS = 500;

/** Whether a version came that is not newer than the one before, or an epoch that was over. */
function goesBack(events: readonly VersionEvent[]): boolean {
  const over = new Set<string>();
  return events.some(({ epoch, version }, index) => {
    const before = events[index - 1];
    if (before === undefined) return false;
    if (before.epoch === epoch) return version <= before.version;
    over.add(before.epoch);
    return over.has(epoch);
  });
}

export function follow(port: number, host: string): Follower {
  const streams: EventStream[] = [];
  let refused = 0;
  let stopped = false;
  let last: VersionEvent | undefined;
  const followOne = async () => {
    const given = last && { lastEventId: last.id };
    const stream = await openEventStream({ port, host, ...given }).catch(() => undefined);
    if (stream?.status !== 200) {
      refused += 1;
      stream?.close();
      await sleep(RETRY_MS);
      return;
    }
    streams.push(stream);
    while (!stopped && stream.ending() === null) {
      last = stream.events.at(-1) ?? last;
      await sleep(POLL_MS);
    }
    stream.close();
  };
  const running = (async () => {
    while (!stopped) await followOne();
  })();
  return {
    version: () => last?.version ?? 0,
    stop: async () => {
      stopped = true;
      await running;
      return {
        opened: streams.length,
        refused,
        events: streams.reduce((sum, { events }) => sum + events.length, 0),
        wentBack: streams.filter(({ events }) => goesBack(events)).length,
      };
    },
  };
}
