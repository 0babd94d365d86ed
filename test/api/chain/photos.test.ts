// Photos of a chain: they follow, their bytes are stored once, and no house reads another one's.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { follow, masterHouse, openHouse } from '../../support/chain.ts';
import { each } from '../../support/each.ts';
import { photoService } from '../../support/photo-service.ts';
import { picture } from '../../support/pictures.ts';

const service = await photoService();
const master = await masterHouse(service);
const roma = await openHouse(service, 'roma');
const bari = await openHouse(service, 'bari');
await openHouse(service, 'alone');

test('a photo of the master is served by each branch, from bytes that are stored once', async () => {
  const photo = await service.uploaded(await picture({ width: 800, height: 600, seed: 7 }));
  const [dish] = await master.ask('GET', '/items');
  await master.ask('PUT', `/items/${dish.id}`, { photo_id: photo.id });
  for (const house of [roma, bari]) await follow(service, house, master);
  const address = photo.sources.jpeg[0].url;
  assert.equal((await service.media(address, 'roma')).status, 404);
  const done = await master.ask('POST', '/chain/publish', {});
  assert.deepEqual(each(done, 'state'), ['done', 'done']);
  assert.deepEqual(each(done, 'refused'), [[], []]);
  const { body } = await service.media(address);
  for (const slug of ['roma', 'bari']) {
    const file = await service.media(address, slug);
    assert.equal(file.status, 200, slug);
    assert.ok(file.body.equals(body));
  }
  assert.equal((await service.media(address, 'alone')).status, 404);
  const [stored] = await service.sql`select count(*)::int as files, count(content)::int as own,
      count(distinct content_id)::int as shared from photo_files`;
  assert.equal(stored?.own, 0);
  assert.equal(Number(stored?.files), 3 * Number(stored?.shared));
  assert.ok(Number(stored?.shared) > 0);
});

test('a branch keeps its photo when the master loses the own one', async () => {
  const [photo] = await roma.ask('GET', '/photos');
  await service.sql(`delete from photo_files where tenant_id = ${master.id}`);
  assert.equal((await service.media(photo.sources.jpeg[0].url, 'roma')).status, 200);
});

test('a photo of the master is not read by its id at a branch', async () => {
  const photo = await service.uploaded(await picture({ width: 640, height: 480, seed: 9 }));
  (await roma.admin.call('GET', `/photos/${photo.id}`)).expect(404);
  assert.equal((await service.media(photo.sources.jpeg[0].url, 'roma')).status, 404);
});
