// Sends requests to the gateway of its own host and tells what became of them.
import { Agent, request } from 'node:http';
import type { Question, Reply } from './cluster.ts';

const PATIENCE_MS = 15_000;
const agent = new Agent({ keepAlive: true });

process.on('message', ({ id, port, slug, method, path, headers, body }: Question) => {
  const began = performance.now();
  const say = (status: number, text: string) => {
    const reply: Reply = { id, status, text, took: performance.now() - began };
    process.send?.(reply);
  };
  const outgoing = request(
    {
      host: '127.0.0.1',
      port,
      agent,
      method,
      path: `/api/v1${path}`,
      headers: { Host: `${slug}.localhost`, ...headers },
      timeout: PATIENCE_MS,
    },
    (incoming) => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (piece) => {
        text += piece;
      });
      incoming.on('end', () => say(incoming.statusCode ?? 0, text));
    },
  );
  outgoing.on('timeout', () => outgoing.destroy(new Error('no answer')));
  outgoing.on('error', (error) => say(0, String(error)));
  outgoing.end(body);
});
process.send?.('ready');
