// `node --import tsx bench/idle.ts [count]`: connections that say nothing, what they cost, how
// others are served meanwhile, and when they are let go.
import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { type Gateway, startLavagna } from './processes/lavagna.ts';
import { withFolder } from './processes/temporary-folder.ts';
import { residentMb } from './processes/usage.ts';
import { readAmounts } from './run-named.ts';

const [count = 10_000] = readAmounts(process.argv.slice(2));
/** Connections that are opened at the same time. */
const AT_ONCE = 500;

/** Milliseconds until a menu was there. */
async function timeMenu(port: number): Promise<number> {
  const began = performance.now();
  const headers = { Host: 'trattoria.localhost' };
  const outgoing = request({ host: '127.0.0.1', port, path: '/api/v1/menu', headers }).end();
  const [incoming] = await once(outgoing, 'response');
  if (incoming.statusCode !== 200) throw new Error(`the menu was answered ${incoming.statusCode}`);
  await once(incoming.resume(), 'end');
  return performance.now() - began;
}

/** Opens the connections; the promise of each is its end. */
async function openIdle(port: number): Promise<Promise<void>[]> {
  const ended: Promise<void>[] = [];
  while (ended.length < count) {
    const opened: Promise<unknown>[] = [];
    for (let i = 0; i < AT_ONCE && ended.length < count; i += 1) {
      const socket: Socket = connect(port, '127.0.0.1').resume();
      opened.push(once(socket, 'connect'));
      ended.push(once(socket, 'close').then(() => undefined));
    }
    await Promise.all(opened);
  }
  return ended;
}

async function measure({ pid, port }: Gateway): Promise<void> {
  const resident = () => residentMb(pid);
  for (let asked = 0; asked < 200; asked += 1) await timeMenu(port);
  const before = resident();
  const began = performance.now();
  const ended = await openIdle(port);
  const opened = (performance.now() - began) / 1_000;
  const during = resident();
  const times: number[] = [];
  for (let asked = 0; asked < 200; asked += 1) times.push(await timeMenu(port));
  times.sort((a, b) => a - b);
  await Promise.all(ended);
  const seconds = (performance.now() - began) / 1_000;
  console.log(`${count} connections opened in ${opened.toFixed(1)} s`);
  console.log(`gateway: ${before} MB before, ${during} MB with them, ${resident()} MB after`);
  const [middle = 0, last = 0] = [times[100], times[199]];
  console.log(`menus meanwhile: p50 ${middle.toFixed(1)} ms, longest ${last.toFixed(1)} ms`);
  console.log(`all of them let go after ${seconds.toFixed(1)} s`);
}

await withFolder('idle', async (dataDir) => {
  const lavagna = await startLavagna(dataDir);
  try {
    await measure(lavagna.gateway);
  } finally {
    await lavagna.stop();
  }
});
