// Displays in a process of their own, so that nothing but the gateway slows them:
// `displays.ts <port> <slug,slug,…>`. Each message to it asks for what it has measured since the last.
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../load/client.ts';

const DISPLAYS = 8;
const PAUSE_MS = 10;

const [port = '', list = ''] = process.argv.slice(2);
const slugs = list.split(',');
const client = createClient(Number(port));
let took: number[] = [];

async function poll(start: number): Promise<void> {
  for (let turn = start; process.connected; turn += 1) {
    const headers = { 'Accept-Encoding': 'br' };
    const reply = await client.call(slugs[turn % slugs.length] ?? '', { path: '/menu', headers });
    if (reply.status !== 200) throw new Error(`a display got ${reply.status}`);
    took.push(reply.took);
    await sleep(PAUSE_MS);
  }
}

process.on('message', () => {
  process.send?.(took);
  took = [];
});
await Promise.all(Array.from({ length: DISPLAYS }, (_, index) => poll(index * 3)));
client.close();
