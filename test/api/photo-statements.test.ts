// The statements that photos cost a gateway which has no menu of their restaurant in memory.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tapPostgres } from '../../bench/processes/postgres-tap.ts';
import { callCli } from '../support/cli.ts';
import { afterFile } from '../support/for-file.ts';
import { testGateway } from '../support/gateway.ts';
import { photoService } from '../support/photo-service.ts';
import { picture } from '../support/pictures.ts';
import { scrape } from '../support/scrape.ts';
import { until } from '../support/until.ts';

const SLUG = 'osteria';
const READS = 20;
let statements = 0;

const service = await photoService({ alone: true });
const { url } = await service.uploaded(await picture({ width: 400, height: 300, seed: 1 }));
const path = new URL(url).pathname;
const tap = await tapPostgres(service.databaseUrl, (type) => {
  // A prepared one that is sent again is only bound.
  if (type === 'P' || type === 'B' || type === 'Q') statements += 1;
});
afterFile(() => tap.stop());
const gateway = await testGateway(tap.url);

const status = async (slug = SLUG) => (await gateway.client(slug).send(path)).status;

test('a photo that is read again sends no statement, though no menu is in memory', async () => {
  assert.equal(await status(), 200);
  const counts: number[] = [];
  // Whatever else the gateway does can only add to them.
  for (let round = 0; round < 5; round += 1) {
    statements = 0;
    for (let read = 0; read < READS; read += 1) assert.equal(await status(), 200);
    counts.push(statements);
  }
  assert.ok(Math.min(...counts) < READS / 2, counts.join());
  assert.equal((await scrape(gateway.opsPort)).get('lavagna_snapshots'), 0);
});

test('a photo is gone with its restaurant’s name, and with the restaurant', async () => {
  const env = { DATABASE_URL: service.databaseUrl };
  const becomes = (slug: string, wanted: number) =>
    until(`${slug} is not ${wanted}`, async () => (await status(slug)) === wanted);
  assert.equal((await callCli(['tenant', 'rename', SLUG, 'iole'], env)).code, 0);
  await becomes(SLUG, 308);
  await becomes('iole', 200);
  assert.equal((await callCli(['tenant', 'rename', 'iole', SLUG], env)).code, 0);
  await becomes(SLUG, 200);
  await becomes('iole', 308);
  assert.equal((await callCli(['tenant', 'suspend', SLUG], env)).code, 0);
  await becomes(SLUG, 404);
  assert.equal((await callCli(['tenant', 'resume', SLUG], env)).code, 0);
  await becomes(SLUG, 200);
  assert.equal((await callCli(['tenant', 'delete', SLUG, '--yes', SLUG], env)).code, 0);
  await becomes(SLUG, 404);
});
