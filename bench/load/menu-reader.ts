// A process that reads at a steady rate: `menu-reader.ts <port> <reads a second> <slug,slug,…> [path,path,…]`.
// Without paths it reads menus. See `startMenuReaders` and `startPhotoReaders`.
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from './client.ts';
import { sendTimes } from './send-times.ts';

const [port = '', rate = '', list = '', paths = '/api/v1/menu'] = process.argv.slice(2);
const slugs = list.split(',');
const targets = paths.split(',');
using client = createClient(Number(port));
const pauseMs = 1_000 / Number(rate);
const note = sendTimes();

async function read(slug: string, path: string): Promise<void> {
  const call = { base: '', path, headers: { 'Accept-Encoding': 'br' } };
  note((await client.expect(200, slug, call)).took);
}

const reading = new Set<Promise<void>>();
const start = performance.now();
for (let count = 0; process.connected; count += 1) {
  await sleep(Math.max(0, start + count * pauseMs - performance.now()));
  const slug = slugs[count % slugs.length] ?? '';
  const done = read(slug, targets[count % targets.length] ?? '').finally(() =>
    reading.delete(done),
  );
  reading.add(done);
}
await Promise.all(reading);
