// A process that follows menus on many streams and notes when each is opened and told of a version.
// It takes one `FollowerTask` after the other and answers each when all its streams have done it.
import { constants, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { loopbackOf } from './addresses.ts';
import { followStream } from './event-stream.ts';
import { screenCookie } from './screen-cookie.ts';
import type { Followed, FollowerTask } from './stream-followers.ts';

/** Connections opened at a time, and the pause after them in ms: the listen queue is limited. */
const BATCH = 100;
const PAUSE_MS = 10;
/** The same for screens, which ask for their settings, too: 10,000 come within a minute. */
const SCREENS_PAUSE_MS = 600;
/** Pause before a screen that was refused tries again, in ms. */
const REFUSED_MS = 5_000;

// The gateway and what reads beside it go first: on a small machine they share the cores.
setPriority(constants.priority.PRIORITY_LOW);

/** When each stream saw what it waits for, in ms since 1970, by the stream's index. */
let moments = new Float64Array(0);
/** The last version that each was told of. */
let versions = new Float64Array(0);
let toldAt = new Float64Array(0);
/** The version that all are to be told of; 0 when all are to be opened. */
let wanted = 0;
let missing = 0;
/** How many attempts to open a stream were refused, by their status. */
const refused: Record<string, number> = {};

function answer(message: Followed | { failure: string }): void {
  process.send?.(message);
}

function settle(): void {
  if (missing === 0) answer({ moments, refused });
}

function onOpen(index: number): void {
  if (wanted > 0 || moments[index] !== 0) return;
  moments[index] = performance.timeOrigin + performance.now();
  missing -= 1;
  settle();
}

function onVersion(index: number, version: number): void {
  const isAwaited = wanted > 0 && version >= wanted && (versions[index] ?? 0) < wanted;
  versions[index] = version;
  toldAt[index] = performance.timeOrigin + performance.now();
  if (!isAwaited) return;
  missing -= 1;
  if (missing === 0) moments = toldAt.slice();
  settle();
}

/** From now on, all are to be opened. */
function expectOpening(count: number): void {
  wanted = 0;
  missing = count;
  moments = new Float64Array(count);
}

type OpenTask = FollowerTask & { kind: 'open' };

async function open({ count, port, hosts, path, areScreens }: OpenTask): Promise<void> {
  expectOpening(count);
  versions = new Float64Array(count);
  toldAt = new Float64Array(count);
  const begin = (index: number) => {
    followStream({
      ...{ port, path, host: hosts[index % hosts.length] ?? '' },
      ...(areScreens && { cookie: screenCookie(index) }),
      from: loopbackOf(index),
      onOpen: () => onOpen(index),
      onVersion: (version) => onVersion(index, version),
      onRefused: (status) => {
        const code = status.split(' ')[1] ?? '';
        refused[code] = (refused[code] ?? 0) + 1;
        // A screen tries again, as its page does.
        if (areScreens) setTimeout(begin, REFUSED_MS, index);
        else answer({ failure: `a stream was answered ${status}` });
      },
    });
  };
  for (let index = 0; index < count; index += 1) {
    if (index % BATCH === 0) await sleep(areScreens ? SCREENS_PAUSE_MS : PAUSE_MS);
    begin(index);
  }
}

function expectVersion(version: number): void {
  wanted = version;
  missing = versions.filter((known) => known < version).length;
  if (missing === 0) moments = toldAt.slice();
  settle();
}

process.on('message', (task: FollowerTask) => {
  if (task.kind === 'open') void open(task);
  else if (task.kind === 'reopen') expectOpening(versions.length);
  else expectVersion(task.version);
});
process.on('disconnect', () => process.exit());
answer({ moments, refused });
