import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DisplaysJob, LoadReport } from './job.ts';
import { percentilesOf } from './percentiles.ts';

/** Connections opened at a time, and the pause after them in ms: the listen queue is limited. */
const connectBatch = 100;
const connectPauseMs = 20;

interface Tally {
  requests: number;
  reconnects: number;
  resent: number;
  times: number[];
}

function requestText({ request }: DisplaysJob): string {
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
  return [`GET ${request.path} HTTP/1.1`, ...headers, '', ''].join('\r\n');
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
  });
}

/** The head of the answer; null when the connection ends first. */
function exchange(socket: Socket, text: string): Promise<string | null> {
  return new Promise((resolve) => {
    let head = '';
    const settle = (answer: string | null) => {
      socket.off('data', received);
      socket.off('close', closed);
      resolve(answer);
    };
    const closed = () => settle(null);
    const received = (chunk: Buffer) => {
      head += chunk.toString('latin1');
      if (head.includes('\r\n\r\n')) settle(head);
    };
    socket.on('data', received);
    socket.on('close', closed);
    socket.write(text);
  });
}

async function reopen(job: DisplaysJob, tally: Tally): Promise<Socket> {
  tally.reconnects += 1;
  const socket = await open(job.port);
  // The next poll finds a connection that broke meanwhile.
  socket.on('error', () => socket.destroy());
  return socket;
}

/** One display: polls, waits, polls again, and reconnects when the server closed the connection. */
async function runDisplay(first: Socket, job: DisplaysJob, tally: Tally): Promise<void> {
  const text = requestText(job);
  let socket = first;
  // Displays start at different moments.
  await sleep(Math.random() * job.pollSeconds * 1_000);
  for (let poll = 1; poll <= job.polls; poll += 1) {
    if (socket.destroyed || socket.readableEnded) socket = await reopen(job, tally);
    const asked = performance.now();
    let head = await exchange(socket, text);
    if (head === null) {
      // The server closed the idle connection while the request was on its way: send it again, once.
      tally.resent += 1;
      socket = await reopen(job, tally);
      head = await exchange(socket, text);
    }
    tally.times.push(performance.now() - asked);
    tally.requests += 1;
    if (!head?.startsWith(`HTTP/1.1 ${job.expectedStatus} `)) {
      throw new Error(`a display received: ${head}`);
    }
    if (poll < job.polls) await sleep(job.pollSeconds * 1_000);
  }
  socket.destroy();
}

/** Polls with If-None-Match; reads only answers without a body. */
export async function runDisplays(job: DisplaysJob): Promise<LoadReport> {
  const sockets: Socket[] = [];
  while (sockets.length < job.displays) {
    const count = Math.min(connectBatch, job.displays - sockets.length);
    const opened = await Promise.all(Array.from({ length: count }, () => open(job.port)));
    for (const socket of opened) socket.on('error', () => socket.destroy());
    sockets.push(...opened);
    await sleep(connectPauseMs);
  }
  const tally: Tally = { requests: 0, reconnects: 0, resent: 0, times: [] };
  const started = performance.now();
  await Promise.all(sockets.map((socket) => runDisplay(socket, job, tally)));
  const { requests, reconnects, resent, times } = tally;
  const seconds = (performance.now() - started) / 1_000;
  return { requests, seconds, ...percentilesOf(times), reconnects, resent };
}
