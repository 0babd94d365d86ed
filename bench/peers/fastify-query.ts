// The usual menu service: each request queries Postgres, localises and serialises. It has no limiter
// and no ETag, which makes it faster.
import fastify from 'fastify';
import pg from 'pg';
import { menuQuery, type StoredMenu, viewMenu } from './menu-of-query.ts';
import type { PeerSettings } from './peer.ts';

async function serve({ port, databaseUrl, slug, headers }: PeerSettings): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
  const app = fastify();
  const lines = Object.fromEntries(headers.filter(([name]) => !/^(etag|vary)$/i.test(name)));
  app.get('/api/v1/menu', async (_request, reply) => {
    const { rows } = await pool.query<StoredMenu>({ name: 'menu', ...menuQuery(slug) });
    const [menu] = rows;
    if (!menu) return reply.code(404).send({ success: false, message: 'Resource not found.' });
    reply.headers(lines);
    return viewMenu(menu);
  });
  await app.listen({ host: '127.0.0.1', port });
  process.send?.('ready');
}

process.once('message', serve);
process.on('disconnect', () => process.exit());
