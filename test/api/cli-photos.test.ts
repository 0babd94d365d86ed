// The photos of a menu as a folder: `menu export --photos` and `menu import --photos`.
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { callCli } from '../support/cli.ts';
import { type PhotoService, startPhotoService } from '../support/photo-service.ts';
import { picture } from '../support/pictures.ts';
import { plant, restaurantOf } from '../support/restaurant.ts';

let service: PhotoService;
before(async () => {
  service = await startPhotoService();
});
after(() => service.stop());

test('menu export --photos and menu import --photos carry photos to another restaurant', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lavagna-photos-'));
  const env = { DATABASE_URL: service.databaseUrl };
  try {
    const photo = await service.uploaded(await picture({ seed: 44, width: 900, height: 500 }));
    const { data } = (await service.client.get('/items')).json;
    await service.admin.call('PATCH', `/items/${data[0].id}`, { photo_id: photo.id });
    const photos = join(folder, 'photos');
    const exported = await callCli(['menu', 'export', 'osteria', '--photos', photos], env);
    assert.equal(exported.code, 0, exported.stderr);
    const files = await readdir(photos);
    assert.ok(files.includes(`${photo.external_id}.jpeg`), files.join());
    const file = join(folder, 'menu.json');
    await writeFile(file, exported.stdout);
    await plant(service.db, restaurantOf('sorella', []));
    const command = ['menu', 'import', 'sorella', file, '--photos', photos];
    const tried = await callCli([...command, '--dry-run'], env);
    assert.match(tried.stdout, /photo_external_id/, 'a dry run uploads nothing');
    const imported = await callCli(command, env);
    assert.equal(imported.code, 0, imported.stdout + imported.stderr);
    assert.match(imported.stderr, new RegExp(`photos uploaded: ${files.length}`));
    assert.doesNotMatch(imported.stdout, /photo_external_id/);
    const { pathname } = new URL(photo.url);
    assert.equal((await service.gateway.client('sorella').send(pathname)).status, 200);
    const again = await callCli(command, env);
    assert.match(again.stderr, /photos uploaded: 0/);
    await writeFile(join(photos, `${photo.external_id}.jpeg`), 'no photo');
    await plant(service.db, restaurantOf('terza', []));
    const broken = await callCli(['menu', 'import', 'terza', file, '--photos', photos], env);
    assert.equal(broken.code, 1);
    assert.match(broken.stderr, /is no photo that is taken/);
  } finally {
    await rm(folder, { recursive: true });
  }
});
