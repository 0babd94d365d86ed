// After an upgrade: snapshots of an older format, which no gateway reads.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findOutdatedTenants } from '../../../db/sql/snapshots.ts';
import { menuService } from '../../support/menu-service.ts';
import { dishOf, restaurantOf, sectionOf } from '../../support/restaurant.ts';
import { untilStatus } from '../../support/until.ts';
import { startTestWorker } from '../../support/worker.ts';

const SLUGS = ['osteria', 'bottega', 'locanda'] as const;
const restaurants = SLUGS.map((slug) =>
  restaurantOf(slug, [sectionOf('Primi', [dishOf(`Gnocchi di ${slug}`)])]),
);
const service = await menuService(restaurants, { alone: true });

test('a worker that starts rebuilds the snapshots of every restaurant, as new versions', async () => {
  const { databaseUrl, db, gateway } = service;
  const menuOf = (slug: string) => gateway.client(slug).get('/menu');
  const versions = () => service.sql('select slug, version from tenants order by slug');
  const before = await versions();
  await service.sql('update snapshots set format = 0');
  for (const slug of SLUGS) assert.equal((await menuOf(slug)).status, 503);

  const [one, two, three] = await service.sql('select id from tenants order by id');
  assert.deepEqual(await findOutdatedTenants(db, 0, 2), [one.id, two.id]);
  assert.deepEqual(await findOutdatedTenants(db, two.id, 2), [three.id]);

  const worker = await startTestWorker(databaseUrl);
  try {
    for (const slug of SLUGS) {
      await untilStatus(`${slug} has no menu`, 200, () => menuOf(slug));
      assert.match((await menuOf(slug)).text, new RegExp(`Gnocchi di ${slug}`));
    }
  } finally {
    await worker.stop();
  }
  const bumped = before.map(({ slug, version }) => ({ slug, version: version + 1 }));
  assert.deepEqual(await versions(), bumped);
});
