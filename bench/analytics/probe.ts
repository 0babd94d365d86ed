// Reads a menu again and again at a steady rate, and prints how long it took when stdin ends.
// Arguments: port, host, reads a second.
import { createClient } from './client.ts';

const [port = '0', host = '', rate = '200'] = process.argv.slice(2);
const client = createClient(host, 16);
const taken: number[] = [];
let ended = false;
process.stdin.resume().on('end', () => {
  ended = true;
});

const reading = new Set<Promise<void>>();
const read = async () => {
  const started = performance.now();
  await client.send(Number(port), 'GET', '/menu');
  taken.push(performance.now() - started);
};
const pause = 1_000 / Number(rate);
const begun = performance.now();
for (let count = 0; !ended; count += 1) {
  const wait = begun + count * pause - performance.now();
  if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
  const done = read().finally(() => reading.delete(done));
  reading.add(done);
}
await Promise.all(reading);
taken.sort((a, b) => a - b);
const at = (share: number) => Number(taken[Math.floor(taken.length * share)]?.toFixed(2));
console.log(JSON.stringify({ reads: taken.length, p50: at(0.5), p99: at(0.99) }));
client.close();
