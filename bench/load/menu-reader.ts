// A process that reads menus at a steady rate: `menu-reader.ts <port> <reads a second> <slug,slug,…>`.
// See `startMenuReaders`.
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from './client.ts';
import { sendTimes } from './send-times.ts';

const [port = '', rate = '', list = ''] = process.argv.slice(2);
const slugs = list.split(',');
const client = createClient(Number(port));
const pauseMs = 1_000 / Number(rate);
const note = sendTimes();

async function read(slug: string): Promise<void> {
  const call = { path: '/menu', headers: { 'Accept-Encoding': 'br' } };
  note((await client.expect(200, slug, call)).took);
}

const reading = new Set<Promise<void>>();
const start = performance.now();
for (let count = 0; process.connected; count += 1) {
  await sleep(Math.max(0, start + count * pauseMs - performance.now()));
  const done = read(slugs[count % slugs.length] ?? '').finally(() => reading.delete(done));
  reading.add(done);
}
await Promise.all(reading);
client.close();
