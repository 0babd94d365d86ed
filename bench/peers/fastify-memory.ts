// Fastify that serves a finished answer from memory, and 304 when `If-None-Match` has its tag.
import fastify from 'fastify';
import type { PeerSettings } from './peer.ts';

async function serve({ port, headers, body }: PeerSettings): Promise<void> {
  const app = fastify();
  const byName = Object.fromEntries(headers);
  const etag = byName.ETag;
  const bytes = body === null ? Buffer.alloc(0) : Buffer.from(body);
  app.get('/api/v1/menu', (request, reply) => {
    reply.headers(byName);
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    return reply.send(bytes);
  });
  await app.listen({ host: '127.0.0.1', port });
  process.send?.('ready');
}

process.once('message', serve);
process.on('disconnect', () => process.exit());
