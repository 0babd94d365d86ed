// A process that reads menus at a steady rate, so that only the gateway's delays are measured:
// `menu-reader.ts <port> <reads a second> <slug,slug,…>`. Each message to it asks for the response
// times since the last message.
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from './client.ts';

const [port = '', rate = '', list = ''] = process.argv.slice(2);
const slugs = list.split(',');
const client = createClient(Number(port));
const pauseMs = 1_000 / Number(rate);
let times: number[] = [];

async function read(slug: string): Promise<void> {
  const call = { path: '/menu', headers: { 'Accept-Encoding': 'br' } };
  times.push((await client.expect(200, slug, call)).took);
}

process.on('message', () => {
  process.send?.(times);
  times = [];
});
process.send?.([]);
const reading = new Set<Promise<void>>();
const start = performance.now();
for (let count = 0; process.connected; count += 1) {
  await sleep(Math.max(0, start + count * pauseMs - performance.now()));
  const done = read(slugs[count % slugs.length] ?? '').finally(() => reading.delete(done));
  reading.add(done);
}
await Promise.all(reading);
client.close();
