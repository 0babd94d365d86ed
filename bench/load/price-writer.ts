// A process that changes the price of a dish, one change after the other:
// `price-writer.ts <port> <pause in ms> <restaurant as JSON>`. See `startPriceWriter`.
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from './client.ts';
import { changePrice, type Restaurant } from './restaurant.ts';
import { sendTimes } from './send-times.ts';

const [port = '', pause = '', json = ''] = process.argv.slice(2);
const restaurant = JSON.parse(json) as Restaurant;
using client = createClient(Number(port));
let writing = Promise.resolve();
const note = sendTimes(() => writing);
for (let count = 0; process.connected; count += 1) {
  writing = changePrice(client, restaurant, 1 + (count % 50)).then(note);
  await writing;
  await sleep(Number(pause));
}
