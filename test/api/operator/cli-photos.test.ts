// Photos in the commands of operators: `menu export --photos`, `menu import --photos`, `tenant clone`.
import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createAdminClient, issueToken } from '../../support/admin.ts';
import { callCli } from '../../support/cli.ts';
import { fileFolder } from '../../support/folder.ts';
import { photoService } from '../../support/photo-service.ts';
import { picture } from '../../support/pictures.ts';
import { plant, restaurantOf } from '../../support/restaurant.ts';

const service = await photoService();

test('menu export --photos and menu import --photos carry photos to another restaurant', async () => {
  const folder = await fileFolder();
  const env = { DATABASE_URL: service.databaseUrl };
  const photo = await service.uploaded(await picture({ seed: 44, width: 900, height: 500 }));
  const { data } = (await service.client.get('/items')).json;
  await service.admin.call('PATCH', `/items/${data[0].id}`, { photo_id: photo.id });
  const photos = join(folder, 'photos');
  const exported = (await callCli(['menu', 'export', 'osteria', '--photos', photos], env)).ends(0);
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
  assert.match((await callCli(command, env)).stderr, /photos uploaded: 0/);
  await writeFile(join(photos, `${photo.external_id}.jpeg`), 'no photo');
  await plant(service.db, restaurantOf('terza', []));
  const broken = await callCli(['menu', 'import', 'terza', file, '--photos', photos], env);
  assert.equal(broken.code, 1);
  assert.match(broken.stderr, /is no photo that is taken/);
});

test('tenant clone makes a restaurant with the same menu, whose changes are its own', async () => {
  const env = { DATABASE_URL: service.databaseUrl };
  const { admin, client } = service;
  const photo = await service.uploaded(await picture({ seed: 45, width: 640, height: 480 }));
  const group = { name: { it: 'Latte' }, min: 1, max: 1, options: [{ label: { it: 'Avena' } }] };
  const made = (await admin.call('POST', '/modifier-groups', group)).expect(201);
  const { data } = (await client.get('/items')).json;
  const dish = { photo_id: photo.id, modifier_group_ids: [made.json.data.id] };
  assert.equal((await admin.call('PATCH', `/items/${data[0].id}`, dish)).status, 200);

  const cloned = (await callCli(['tenant', 'clone', 'osteria', '--as', 'prova'], env)).ends(0);
  const { id, ...said } = JSON.parse(cloned.stdout);
  assert.deepEqual(said, { slug: 'prova', cloned_from: 'osteria' });
  const copy = service.gateway.client('prova');
  const own = createAdminClient(copy, await issueToken(service.db, id));
  const exported = (await admin.get('/export')).json.data;
  // Addresses of photos have the restaurant's own host.
  const copied = (await own.get('/export')).text.replaceAll('prova.', 'osteria.');
  assert.deepEqual(JSON.parse(copied).data, exported);
  assert.equal((await copy.send(new URL(photo.url).pathname)).status, 200);
  assert.match((await copy.get('/menu')).text, /Avena/);

  const menu = (await client.get('/menu')).text;
  assert.equal((await own.call('PATCH', `/items/${data[0].id}`, { price: 99 })).status, 200);
  const added = { name: { it: 'Nuovo' }, category_id: exported.items[0].category_id };
  assert.equal((await own.call('POST', '/items', added)).status, 201);
  assert.equal((await client.get('/menu')).text, menu);
  const again = await callCli(['tenant', 'clone', 'osteria', '--as', 'prova'], env);
  assert.deepEqual([again.code, again.stderr], [1, 'The slug prova is taken.\n']);
});
