import { test } from 'node:test';
import { trattoria } from '../db/demo/trattoria/index.ts';
import { createAdminClient, issueToken } from './support/admin.ts';
import { createTestDatabase } from './support/database.ts';
import { startTestGateway } from './support/gateway.ts';
import { openDatabase, plant } from './support/restaurant.ts';
import { startTestWorker } from './support/worker.ts';

test('x', async () => {
  const d = await createTestDatabase();
  const db = await openDatabase(d.url);
  const id = await plant(db, trattoria);
  const token = await issueToken(db, id);
  const g = await startTestGateway(d.url, { LIMIT_ADMIN: '100000', LOG_LEVEL: 'warn' });
  const w = await startTestWorker(d.url, { LOG_LEVEL: 'warn' });
  const a = createAdminClient(g.client('trattoria'), token);
  const show = (r: any) => console.log(r.status, JSON.stringify(r.headers), r.text.slice(0, 500));
  show(await a.get('/items?per_page=1'));
  show(await a.get('/settings'));
  show(await a.call('POST', '/items', { category_id: 1, name: { it: 'Pane' }, price: '1.5' }));
  show(await a.call('POST', '/items', { category_id: 99999, name: { it: 'Pane' }, price: '1.5' }));
  show(await a.call('POST', '/categories', { name: { it: 'Nuova' } }));
  show(await a.call('PUT', '/settings', { name: 'Altro' }));
  show(await a.call('DELETE', '/items/5'));
  show(await a.call('POST', '/items/5/restore'));
  show(await a.call('PUT', '/items/77777', {}));
  for (const p of ['/menu', '/menu/en', '/items', '/categories'])
    await g.client('trattoria').get(p);
  const t = [];
  for (let i = 0; i < 60; i++) {
    const s = performance.now();
    const r = await a.call('PUT', '/items/6', { price: i });
    t.push(performance.now() - s);
    if (r.status !== 200) show(r);
  }
  t.sort((a, b) => a - b);
  console.log('p50', t[30], 'p99', t[58]);
  const s = performance.now();
  await Promise.all(Array.from({ length: 100 }, (_, i) => a.call('PUT', '/items/6', { price: i })));
  console.log('100 at once', performance.now() - s);
  await g.stop();
  await w.stop();
  await db.end();
  await d.drop();
});
