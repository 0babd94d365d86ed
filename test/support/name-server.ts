import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

const TYPES: Record<number, 'A' | 'TXT' | 'AAAA'> = { 1: 'A', 16: 'TXT', 28: 'AAAA' };
const HEADER = 12;
const NAME_ERROR = 3;

/** The question of a DNS message, and the bytes of it. */
function readQuestion(message: Buffer): { name: string; type: number; bytes: Buffer } {
  const labels: string[] = [];
  let at = HEADER;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  const type = message.readUInt16BE(at + 1);
  return { name: labels.join('.').toLowerCase(), type, bytes: message.subarray(HEADER, at + 5) };
}

function dataOf(type: 'A' | 'TXT' | 'AAAA', text: string): Buffer {
  if (type === 'A') return Buffer.from(text.split('.').map(Number));
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
}

/** The answer to a question: the records, or that there is no such name. */
function writeAnswer(message: Buffer, records: readonly string[]): Buffer {
  const { type, bytes } = readQuestion(message);
  const kind = TYPES[type];
  const answers = records.map((text) => {
    const data = dataOf(kind ?? 'TXT', text);
    const head = Buffer.alloc(12);
    // The name is the question's.
    head.writeUInt16BE(0xc0_0c, 0);
    head.writeUInt16BE(type, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt32BE(0, 6);
    head.writeUInt16BE(data.length, 10);
    return Buffer.concat([head, data]);
  });
  const header = Buffer.alloc(HEADER);
  message.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x81_80 + (records.length === 0 ? NAME_ERROR : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(answers.length, 6);
  return Buffer.concat([header, bytes, ...answers]);
}

export interface NameServer {
  /** For DNS_SERVERS. */
  address: string;
  /** Its records: `TXT name`, `A name`. A function answers each question anew. */
  records: Map<string, readonly string[] | (() => readonly string[])>;
  stop(): void;
}

/** Starts a small DNS server on a port of its own. */
export async function startNameServer(): Promise<NameServer> {
  const socket = createSocket('udp4');
  const records: NameServer['records'] = new Map();
  socket.on('message', (message, { port, address }) => {
    const { name, type } = readQuestion(message);
    const found = records.get(`${TYPES[type]} ${name}`) ?? [];
    const texts = typeof found === 'function' ? found() : found;
    socket.send(writeAnswer(message, texts), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address() as AddressInfo;
  return { address: `127.0.0.1:${port}`, records, stop: () => socket.close() };
}
