// A process with many guests of one address. It takes one `GuestTask` after the other and answers each
// when all guests have done it.
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync } from 'node:zlib';
import { openGuest } from './guest.ts';
import type { GuestReport, GuestTask } from './guests.ts';

/** The version on each guest's page, and since when. */
const shown: { etag: string; at: number }[] = [];
/** The pages by their tags: all guests get the same bytes. */
const pages = new Map<string, string>();
const refusals: string[] = [];
let refusedEvents = 0;
let wanted: string | undefined;

function answer(message: GuestReport | { failure: string }): void {
  process.send?.(message);
}

function read(etag: string, body: Buffer): string {
  const known = pages.get(etag) ?? brotliDecompressSync(body).toString();
  pages.set(etag, known);
  return known;
}

/** Tells when all pages show what is wanted. */
function look(): void {
  const text = wanted;
  if (text === undefined || !shown.every(({ etag }) => pages.get(etag)?.includes(text))) return;
  wanted = undefined;
  tell();
}

function tell(): void {
  answer({ moments: Float64Array.from(shown, ({ at }) => at), refusals, refusedEvents });
}

async function arrive({ count, seconds, port, host }: GuestTask & { kind: 'arrive' }) {
  const opened: Promise<void>[] = [];
  for (let index = 0; index < count; index += 1) {
    shown.push({ etag: '', at: 0 });
    const guest = {
      ...{ port, host },
      onPage: (etag: string, body: Buffer) => {
        shown[index] = { etag, at: performance.timeOrigin + performance.now() };
        read(etag, body);
        look();
      },
      onRefusal: (what: string) => void refusals.push(what),
      onRefusedEvents: () => {
        refusedEvents += 1;
      },
    };
    opened.push(openGuest(guest, read));
    await sleep((seconds * 1_000) / count);
  }
  await Promise.all(opened);
  tell();
}

process.on('message', (task: GuestTask) => {
  if (task.kind === 'arrive') {
    arrive(task).catch((error) => answer({ failure: String(error) }));
    return;
  }
  wanted = task.text;
  look();
});
process.on('disconnect', () => process.exit());
tell();
