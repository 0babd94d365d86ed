// The panel's photos: uploaded on their page and inside the forms of records, with and without script.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formOf } from '../../support/page-forms.ts';
import { signedIn } from '../../support/panel.ts';
import { panelService } from '../../support/panel-service.ts';
import { heic, noise, picture } from '../../support/pictures.ts';
import { dishOf, restaurantOf, sectionOf } from '../../support/restaurant.ts';

const restaurant = restaurantOf('trattoria', [sectionOf('Primi', [dishOf('Gricia')])]);
// A restaurant has room for one MiB.
const service = await panelService([restaurant], { workerEnv: { PHOTOS_MB: '1' } });
const visitor = await signedIn(service.client);

const file = async (seed: number) => ({ name: 'IMG_1.JPG', bytes: await picture({ seed }) });

test('the page of photos takes a file, shows it, and says why it refuses one', async () => {
  await visitor.get('/admin/photos');
  const page = (await visitor.upload('/admin/photos', {}, await file(1))).expect(200);
  page.shows(/1 foto caricata/, /<a href="\/admin\/photos\/\d+"><img src="\/media\//);
  const refused = await visitor.upload('/admin/photos', {}, { name: 'b.heic', bytes: heic() });
  refused.expect(422).shows(/b\.heic: La foto è in formato HEIC/);
});

test('the script gets the photo of its file as JSON', async () => {
  await visitor.get('/admin/photos');
  const accept = { Accept: 'application/json' };
  const { json } = await visitor.upload('/admin/photos', {}, await file(2), accept);
  assert.match(json.photo.image, /^\/media\/[0-9a-f]{32}-320\.jpeg$/);
  assert.equal(json.text, null);
  const wrong = { name: 'x.txt', bytes: Buffer.from('x') };
  const refused = await visitor.upload('/admin/photos', {}, wrong, accept);
  assert.equal(refused.json.photo, null);
  assert.match(refused.json.text, /x\.txt/);
});

test('a dish’s form uploads a photo before it is saved, and keeps what was typed', async () => {
  const path = '/admin/menu/items/1';
  const page = await visitor.get(path);
  const typed = { ...formOf(page.text), 'name.it': 'Gricia nuova' } as Record<string, string>;
  const fields = { ...typed, do: 'upload-photo_id' };
  const sent = await visitor.upload(path, fields, { ...(await file(3)), field: 'photo_id.file' });
  assert.equal(sent.status, 200, sent.text);
  const kept = formOf(sent.text);
  assert.deepEqual(kept['name.it'], ['Gricia nuova']);
  const [id] = kept.photo_id ?? [];
  assert.match(String(id), /^\d+$/);
  assert.equal((await service.client.get('/items/1')).json.data.photo, null, 'nothing is saved');
  (await visitor.post(path, { ...kept, do: 'save' })).expect(303);
  const dish = (await service.client.get('/items/1')).json.data;
  assert.equal(dish.name, 'Gricia nuova');
  assert.equal(dish.photo_id, Number(id));
  assert.equal(dish.photo_url, dish.photo.url);
  const same = await visitor.edit(path, { do: 'save' });
  (await visitor.get(same.headers.location ?? '')).shows(/niente da cambiare/);
});

test('a photo has a page for what it shows and its focal point, and can be deleted', async () => {
  await visitor.get('/admin/photos');
  await visitor.upload('/admin/photos', {}, await file(4));
  const [, path = ''] = /href="(\/admin\/photos\/\d+)"/.exec(visitor.page.text) ?? [];
  const page = (await visitor.get(path)).expect(200);
  const change = { 'alt.it': 'Un piatto', focus_x: '10', focus_y: '90', do: 'save' };
  (await visitor.post(path, { ...formOf(page.text), ...change })).expect(303);
  (await visitor.get('/admin/photos')).shows(/Un piatto/);
  const gone = await visitor.submit(path, { do: 'delete' });
  assert.equal(gone.headers.location?.split('?')[0], '/admin/photos');
  (await visitor.get('/admin/photos')).hides(/<span>Un piatto/);
  assert.equal((await visitor.get('/admin/photos/new')).status, 404);
});

test('pages with photos let their script send them, and a dish’s shows pictures of other sites', async () => {
  const pictures = async (photo_url: string) => {
    const path = '/admin/menu/items/1';
    (await visitor.edit(path, { photo_url, do: 'save' })).expect(303);
    const { text } = await visitor.get(path);
    return Array.from(text.matchAll(/class="foreign-picture" src="([^"]*)"/g), ([, src]) => src);
  };
  assert.deepEqual(await pictures('https://foto.example/a.jpg'), ['https://foto.example/a.jpg']);
  const dish = visitor.page.headers['content-security-policy'] ?? '';
  assert.match(dish, /; img-src 'self' https:; /);
  assert.match(dish, /; frame-src 'self'; connect-src 'self'$/);
  const list = (await visitor.get('/admin/photos')).headers['content-security-policy'] ?? '';
  assert.match(list, /; img-src 'self'; .*; connect-src 'self'$/);
  const plain = { photo_url: 'http://foto.example/a.jpg', do: 'save' };
  const refused = (await visitor.edit('/admin/menu/items/1', plain)).expect(422);
  refused.shows(/id="f-photo_url-error">Non è scritto nella forma giusta/);
});

test('a dish keeps a plain address that it has, and its form says that it shows no picture', async () => {
  const path = '/admin/menu/items/1';
  await service.sql(`update dishes set photo_url = 'http://foto.example/a.jpg'`);
  const page = await visitor.get(path);
  page.shows(/Questo indirizzo non mostra nessuna immagine/).hides(/class="foreign-picture"/);
  const named = { ...formOf(page.text), 'name.it': 'Gricia di sempre', do: 'save' };
  (await visitor.post(path, named)).expect(303);
});

test('the page of photos says how much room is left, also where a quota makes it smaller', async () => {
  const read = async () => (await visitor.get('/admin/photos')).text;
  assert.match(await read(), /Occupati \d MB di 200 MB\./);
  await service.sql('update tenants set max_photos_mb = 7');
  assert.match(await read(), /Occupati \d MB di 7 MB\./);
  await service.sql('update tenants set max_photos_mb = null');
});

test('a photo that the restaurant has no room for is refused, and says how to make room', async () => {
  await visitor.get('/admin/photos');
  const full = { name: 'IMG_9.JPG', bytes: await noise(2_400, 200) };
  const page = (await visitor.upload('/admin/photos', {}, full)).expect(422);
  page.shows(/IMG_9\.JPG: Lo spazio per le foto è pieno: elimina prima/);
});
