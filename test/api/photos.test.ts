// Photos: what is taken, what becomes of it, where it is shown and served.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { pino } from 'pino';
import sharp from 'sharp';
import { createBoss } from '../../db/queue/boss.ts';
import { constants } from '../../db/runtime/constants.ts';
import { purgePhotos } from '../../workers/housekeeping/purge.ts';
import { createAdminClient, issueToken } from '../support/admin.ts';
import { each } from '../support/each.ts';
import { photoService } from '../support/photo-service.ts';
import { heic, noise, picture, withAvifSize } from '../support/pictures.ts';
import { plant, restaurantOf } from '../support/restaurant.ts';
import { untilStatus } from '../support/until.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests assert on what they find in it.
type Json = Record<string, any>;

const service = await photoService();

const { data } = (await service.client.get('/categories')).json;
const section = data[0].id;
const dish = data[0].items[0].id;

describe('POST /admin/photos', () => {
  for (const format of ['jpeg', 'png', 'webp', 'avif'] as const) {
    test(`makes AVIF, WebP and JPEG in three widths of a ${format}`, async () => {
      const seed = format.length + 30 + format.charCodeAt(0);
      const body = await picture({ width: 1600, height: 400, format, seed });
      const photo = await service.uploaded(body);
      assert.deepEqual([photo.width, photo.height], [1600, 400]);
      assert.ok(photo.bytes > 0);
      assert.ok(Buffer.from(photo.placeholder).length <= 40, photo.placeholder);
      assert.deepEqual(Object.keys(photo.sources), ['avif', 'webp', 'jpeg']);
      for (const [name, files] of Object.entries<Json[]>(photo.sources)) {
        assert.deepEqual(each(files, 'width'), [320, 640, 1280]);
        for (const { width, url } of files) {
          const file = await service.media(url);
          assert.equal(file.status, 200, url);
          assert.equal(file.headers['content-type'], `image/${name}`);
          assert.match(String(file.headers['cache-control']), /immutable/);
          const made = await sharp(file.body).metadata();
          const wanted = [name === 'avif' ? 'heif' : name, width, width / 4];
          assert.deepEqual([made.format, made.width, made.height], wanted);
        }
      }
      assert.equal(photo.url, photo.sources.jpeg[2].url);
    });
  }

  test('turns a picture upright, and takes place and camera away', async () => {
    const body = await picture({ width: 400, height: 300, orientation: 6 });
    assert.ok((await sharp(body).metadata()).exif, 'the picture has no Exif to begin with');
    const photo = await service.uploaded(body);
    assert.deepEqual([photo.width, photo.height], [300, 400]);
    const { body: bytes } = await service.media(photo.url);
    const { exif, icc, xmp, width, height } = await sharp(bytes).metadata();
    assert.deepEqual([exif, icc, xmp], [undefined, undefined, undefined]);
    assert.deepEqual([width, height], [300, 400]);
    // Its left is above now.
    const { data } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
    assert.ok((data[0] as number) > 200 && (data[2] as number) < 100);
    const [kept] = await service.sql`
      select content from photo_files where width = 0 and digest = ${photo.external_id}`;
    assert.equal((await sharp(kept.content).metadata()).exif, undefined);
  });

  test('makes nothing larger than the original', async () => {
    const photo = await service.uploaded(await picture({ width: 500, height: 200 }));
    assert.deepEqual(each(photo.sources.avif, 'width'), [320, 500]);
    const small = await service.uploaded(await picture({ width: 100, height: 80 }));
    assert.deepEqual(each(small.sources.webp, 'width'), [100]);
  });

  test('answers the same photo for the same content', async () => {
    const body = await picture({ seed: 7 });
    const photo = await service.uploaded(body);
    assert.equal((await service.upload(body)).expect(200).json.data.id, photo.id);
  });

  test('takes a form with a file, and 202 when the client does not wait', async () => {
    const form = new FormData();
    form.set('file', new Blob([await picture({ seed: 11 })]), 'IMG_0001.JPG');
    const sent = new Response(form);
    const type = sent.headers.get('content-type') ?? '';
    const inForm = (await service.upload(Buffer.from(await sent.arrayBuffer()), type)).expect(201);
    assert.equal('ignored' in inForm.json.meta, false);
    const later = { Prefer: 'respond-async' };
    const reply = await service.upload(await picture({ seed: 12 }), 'image/jpeg', later);
    assert.equal((await service.finished(reply.expect(202).json.data.id)).status, 201);
  });

  const half = async () => (await picture({ seed: 3 })).subarray(0, 2_000);
  const animation = async () => {
    const frames = [await picture({ seed: 1 }), await picture({ seed: 90 })];
    return sharp(frames, { join: { animated: true } })
      .webp()
      .toBuffer();
  };
  const raw = { width: 8_000, height: 8_000, channels: 1 } as const;
  const bomb = () =>
    sharp(Buffer.alloc(8_000 * 8_000), { raw })
      .png()
      .toBuffer();
  const large = async () =>
    withAvifSize(await picture({ width: 64, height: 48, format: 'avif' }), 5_000, 2_600);
  const refused: [what: string, body: () => Buffer | Promise<Buffer>, text: RegExp][] = [
    ['text', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), /non è una foto/],
    ['HEIC', heic, /HEIC.*JPEG/],
    ['nothing', () => Buffer.alloc(0), /richiesto/],
    ['a GIF', () => Buffer.from('GIF89a\x01\x00\x01\x00'), /animazione/],
    ['half a JPEG', half, /danneggiato o.*JPEG/],
    ['an animated WebP', animation, /animazione/],
    ['a bomb of 64 megapixels', bomb, /40 milioni/],
    ['an AVIF that takes too much memory to decode', large, /12,5 milioni.*JPEG/],
  ];
  for (const [what, body, text] of refused) {
    test(`refuses ${what} with words`, async () => {
      assert.match((await service.upload(await body())).expect(422).json.errors.file[0], text);
    });
  }

  test('refuses JSON and needs the scope', async () => {
    assert.equal((await service.upload(Buffer.from('{}'), 'application/json')).status, 415);
  });
});

describe('a photo', () => {
  let photo: Json;
  before(async () => {
    photo = await service.uploaded(await picture({ width: 1400, height: 350, seed: 21 }));
  });

  test('is shown with the dish, the section and the settings that name it', async () => {
    const { external_id: _digest, id: photo_id, bytes: _bytes, ...rest } = photo;
    const { created_at: _c, updated_at: _u, deleted_at: _d, chain: _n, ...shown } = rest;
    const changed = (await service.admin.call('PATCH', `/items/${dish}`, { photo_id })).expect(200);
    const { photo: inAnswer, photo_url } = changed.json.data;
    assert.deepEqual([inAnswer, photo_url], [shown, photo.url]);
    await service.admin.call('PATCH', `/categories/${section}`, { photo_id });
    const settings = { logo_photo_id: photo_id, cover_photo_id: photo_id };
    await service.admin.call('PATCH', '/settings', settings);
    const { data } = (await service.client.get('/menu')).json;
    assert.deepEqual(data.settings.logo_photo, shown);
    assert.equal(data.settings.cover_image_url, photo.url);
    assert.deepEqual(data.sections[0].photo, shown);
    const item = (await service.client.get(`/items/${dish}`)).json.data;
    assert.deepEqual([item.photo, item.photo_url, item.photo_id], [shown, photo.url, photo_id]);
  });

  test('stands in the page with its formats, widths and size, and in what search engines read', async () => {
    const page = await service.client.send('/');
    const { external_id: digest } = photo;
    const shots = [...page.text.matchAll(/<picture>[\s\S]*?<\/picture>/g)].map(([shot]) => shot);
    const inDish = shots.find((shot) => shot.includes('class="photo')) ?? '';
    assert.match(inDish, new RegExp(`type="image/avif" srcset="/media/${digest}-320.avif 320w, `));
    assert.match(inDish, /type="image\/webp"/);
    assert.match(inDish, /sizes="5rem"/);
    assert.match(inDish, /width="1400" height="350" decoding="async" loading="lazy"/);
    page.shows(/<img id="cover"[^>]*fetchpriority="high"/, /<img class="section-photo/);
    // The latter is JSON-LD.
    page.shows(`<meta property="og:image" content="${photo.url}">`, `"image":"${photo.url}"`);
  });

  test('of one restaurant is 404 at another', async () => {
    assert.equal((await service.media(photo.url)).status, 200);
    await plant(service.db, restaurantOf('altra', []));
    assert.equal((await service.media(photo.url, 'altra')).status, 404);
  });

  test('can be changed in what it shows and where it is cut, and no further', async () => {
    const body = { alt: { it: 'Gricia', en: 'Gricia' }, focus_x: 20, focus_y: 80, width: 1 };
    const reply = (await service.admin.call('PATCH', `/photos/${photo.id}`, body)).expect(200);
    assert.equal(reply.json.data.width, 1400);
    assert.deepEqual(reply.json.meta.ignored, ['width']);
    const item = (await service.client.get(`/items/${dish}`)).json.data;
    assert.deepEqual([item.photo.focus_x, item.photo.focus_y, item.photo.alt], [20, 80, 'Gricia']);
    (await service.admin.call('PATCH', `/photos/${photo.id}`, { focus_x: 101 })).expect(422);
  });

  test('that is deleted is shown nowhere, and comes back everywhere', async () => {
    assert.equal((await service.admin.call('DELETE', `/photos/${photo.id}`)).status, 204);
    const gone = (await service.client.get('/menu')).json.data;
    assert.deepEqual([gone.settings.cover_photo, gone.sections[0].photo], [null, null]);
    assert.equal((await service.client.get(`/items/${dish}`)).json.data.photo_url, null);
    (await service.admin.call('POST', `/photos/${photo.id}/restore`)).expect(200);
    const data = (await service.client.get('/menu')).json.data;
    assert.equal(data.settings.cover_photo.url, photo.url);
    assert.equal(data.sections[0].photo.url, photo.url);
  });

  test('is made by no body', async () => {
    const operation = { resource: 'photos', action: 'create', data: { alt: { it: 'x' } } };
    (await service.admin.call('POST', '/bulk', { operations: [operation] })).expect(422);
  });
});

describe('the picture for shared links', () => {
  const named = async () => {
    const { text } = await service.client.send('/');
    const [, address = ''] = /<meta property="og:image" content="([^"]+)">/.exec(text) ?? [];
    return new URL(address).pathname;
  };
  const settings = (changes: Json) => service.admin.call('PATCH', '/settings', changes);

  test('of a restaurant without a cover has its name on its colour, and is kept for ever', async () => {
    await settings({ cover_photo_id: null, cover_image_url: null, name: 'Osteria Città' });
    const path = await named();
    assert.match(path, /^\/display\/[0-9a-f]{16}\/preview\.png$/);
    const drawn = (await service.client.send(path)).expect(200);
    assert.equal(drawn.headers['content-type'], 'image/png');
    assert.match(String(drawn.headers['cache-control']), /immutable/);
    const { width, height } = await sharp(drawn.body).metadata();
    assert.deepEqual([width, height], [1200, 630]);
    // Letters: more than the frame alone has.
    const { channels } = await sharp(drawn.body)
      .extract({ left: 100, top: 200, width: 1_000, height: 230 })
      .stats();
    assert.ok((channels[0]?.stdev ?? 0) > 5);
    assert.deepEqual((await service.client.send(path)).body, drawn.body);

    await settings({ name: 'مطعم' });
    const next = await named();
    assert.notEqual(next, path);
    const plate = await service.client.send(next);
    assert.equal(plate.status, 200, 'another alphabet has a plate');
    const old = await service.client.send(path);
    assert.deepEqual(old.body, plate.body, 'an old address shows the present picture');
    assert.equal(old.headers['cache-control'], 'no-cache');
  });

  test('of a restaurant with a cover is its cover', async () => {
    const photo = await service.uploaded(await picture({ seed: 61 }));
    await settings({ cover_photo_id: photo.id });
    assert.equal(await named(), new URL(photo.url).pathname);
  });
});

describe('whole menus and housekeeping', () => {
  const other = async () => {
    const tenantId = await plant(service.db, restaurantOf('copia', []));
    const token = await issueToken(service.db, tenantId);
    return createAdminClient(service.gateway.client('copia'), token);
  };

  test('an export names photos by digest, and an import gives them back', async () => {
    const photo = await service.uploaded(await picture({ seed: 40 }));
    await service.admin.call('PATCH', `/items/${dish}`, { photo_id: photo.id });
    await service.admin.call('PATCH', '/settings', { logo_photo_id: photo.id });
    const { data } = (await service.admin.get('/export')).json;
    const named = data.items.find(({ id }: Json) => id === dish);
    assert.equal(named.photo_external_id, photo.external_id);
    assert.equal(data.settings.logo_photo_external_id, photo.external_id);
    await service.admin.call('PATCH', `/items/${dish}`, { photo_id: null });
    await service.admin.call('PATCH', '/settings', { logo_photo_id: null });
    (await service.admin.call('PUT', '/import', data)).expect(200);
    assert.equal((await service.client.get(`/items/${dish}`)).json.data.photo.url, photo.url);
    assert.equal((await service.client.get('/restaurant')).json.data.logo_url, photo.url);
    // A document may also name its photos by their ids there.
    await service.admin.call('PATCH', `/items/${dish}`, { photo_id: null });
    const items = [{ ...named, photo_external_id: undefined, photo_id: photo.id }];
    (await service.admin.call('PUT', '/import', { ...data, items })).expect(200);
    assert.equal((await service.client.get(`/items/${dish}`)).json.data.photo.url, photo.url);
  });

  test('an import elsewhere leaves out photos that are not there, and says so', async () => {
    const { data } = (await service.admin.get('/export')).json;
    const reply = (await (await other()).call('PUT', '/import', data)).expect(200);
    const { ignored } = reply.json.meta;
    const isOfDish = (path: string) => /^items\.\d+\.photo_external_id$/.test(path);
    assert.ok(ignored.some(isOfDish), ignored);
    assert.ok(ignored.includes('settings.logo_photo_external_id'), ignored);
  });

  test('a client that writes back what it has read changes nothing', async () => {
    const photo = await service.uploaded(await picture({ seed: 41 }));
    const path = `/items/${dish}`;
    await service.admin.call('PATCH', path, { photo_id: photo.id, photo_url: null });
    const { photo_url, photo_id } = (await service.admin.get(path)).json.data;
    assert.equal(photo_url, photo.url);
    await service.admin.call('PUT', path, { photo_url, photo_id });
    await service.admin.call('PUT', path, { photo_id: null });
    assert.equal((await service.client.get(path)).json.data.photo_url, null);
  });

  test('an undo brings a photo back where it was shown; a purged one is left out, and named', async () => {
    const photo = await service.uploaded(await picture({ seed: 43 }));
    const path = `/items/${dish}`;
    await service.admin.call('PATCH', path, { photo_id: photo.id });
    const latest = async () => (await service.admin.get('/versions?limit=1')).json.data[0].version;
    const shown = await latest();
    assert.equal((await service.admin.call('DELETE', `/photos/${photo.id}`)).status, 204);
    const deletion = await latest();

    (await service.admin.call('POST', `/versions/${deletion}/undo`, {})).expect(200);
    const { data } = (await service.admin.get(path)).json;
    assert.deepEqual([data.photo_id, data.photo_url], [photo.id, photo.url]);

    await service.admin.call('DELETE', `/photos/${photo.id}`);
    await service.sql(
      'with n as (update dishes set photo_id = null where photo_id = $1) delete from photos where id = $1',
      [photo.id],
    );
    const restored = await service.admin.call('POST', `/versions/${shown}/restore`, {});
    assert.equal(restored.status, 200, restored.text);
    const { ignored } = restored.json.meta;
    assert.deepEqual([...ignored].sort(), [`items.${dish}.photo_id`, `photos.${photo.id}`]);
    assert.equal((await service.admin.get(path)).json.data.photo_id, null);
  });

  test('a photo that nothing names is deleted after 30 days', async () => {
    const { id } = await service.uploaded(await picture({ seed: 42 }));
    const boss = createBoss(service.databaseUrl, { log: pino({ level: 'silent' }) });
    await boss.start();
    const keep = () => purgePhotos(service.db, boss, () => true, constants);
    await keep();
    const age = `update photos set unused_since = unused_since - interval '30 days' where id = $1`;
    assert.equal((await service.admin.get(`/photos/${id}`)).status, 200);
    await service.sql(age, [id]);
    await keep();
    await boss.stop({ graceful: false });
    await untilStatus('the photo is still there', 404, () => service.admin.get(`/photos/${id}`));
    assert.equal((await service.admin.call('POST', `/photos/${id}/restore`)).status, 200);
  });
  test('a photo that the restaurant has no room for is 422, and others are taken', async () => {
    const setQuota = 'update tenants set max_photos_mb = $1';
    await service.sql(setQuota, [1]);
    const { status, json } = await service.upload(await noise(2_400, 200));
    assert.deepEqual([status, json.codes.file[0].rule], [422, 'photoQuota']);
    assert.match(json.errors.file[0], /eliminare prima le foto/);
    assert.equal((await service.upload(await picture({ seed: 77 }))).status, 201);
    await service.sql(setQuota, [null]);
  });
});
