import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RecordType } from '../../../db/schema/record.ts';
import { records } from '../../../db/schema/registry.ts';
import { adminService } from '../../support/admin.ts';
import { each } from '../../support/each.ts';
import type { Response } from '../../support/http.ts';

const service = await adminService();

const { call } = service.admin;
const publicJson = async (path: string) => (await service.client.get(path)).json.data;
const publicStatus = async (path: string) => (await service.client.get(path)).status;

/** A record without the fields that guests' JSON has only where they say something. */
function asGuestsSee({ fields }: RecordType, shown: Record<string, unknown>) {
  const isLeftOut = ([name, value]: [string, unknown]) => {
    const field = fields[name.replace(/_translations$/, '')];
    const isEmpty =
      value === '' || (typeof value === 'object' && Object.keys(value ?? {}).length === 0);
    return field?.isSparse && (isEmpty || value === field.options.default);
  };
  return Object.fromEntries(Object.entries(shown).filter((entry) => !isLeftOut(entry)));
}

/** The data of a reply that must have this status. */
async function data(reply: Promise<Response>, status = 200) {
  return (await reply).expect(status).json.data;
}

const create = (resource: string, body: unknown) => data(call('POST', `/${resource}`, body), 201);
const newSection = (parts = {}) => create('categories', { name: { it: 'Nuova' }, ...parts });
const newDish = (category_id: number, parts = {}) =>
  create('items', { category_id, name: { it: 'Piatto' }, ...parts });

describe('creating', () => {
  test('a dish: 201 with the record as the public API shows it, readable at once', async () => {
    const section = await newSection();
    const winery = await create('wineries', { name: 'Kante', region: 'Carso' });
    const type = await create('types', { category_id: section.id, name: { it: 'Rossi' } });
    const reply = await call('POST', '/items', {
      category_id: section.id,
      type_id: type.id,
      winery_id: winery.id,
      name: { it: ' Terrano ', en: 'Terrano red', de: '' },
      description: { it: 'Aspro' },
      price: '19.50',
      allergens: ['solfiti'],
      is_recommended: 1,
    });
    const made = await data(Promise.resolve(reply), 201);
    const { created_at, updated_at, deleted_at, chain, ...own } = made;
    const { external_id, visible_from, visible_until, ...shown } = own;
    assert.deepEqual([external_id, visible_from, visible_until], [null, null, null]);
    assert.equal(reply.headers.location, `/api/v1/admin/items/${shown.id}`);
    assert.match(reply.json.meta.generated_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
    assert.deepEqual(await publicJson(`/items/${shown.id}`), asGuestsSee(records.items, shown));
    assert.deepEqual(shown.name_translations, { it: 'Terrano', en: 'Terrano red' });
    assert.deepEqual([shown.price, shown.is_active, shown.winery.name], [19.5, true, 'Kante']);
    assert.ok(created_at && updated_at);
    assert.deepEqual([deleted_at, chain], [null, null]);
  });

  test('what only the specification’s rules require is enough, the rest has defaults', async () => {
    const { id } = await newSection();
    const { price, allergens, description, is_active, is_recommended } = await newDish(id);
    assert.deepEqual([price, allergens, description], [0, [], '']);
    assert.deepEqual([is_active, is_recommended], [true, false]);
    assert.equal((await publicJson(`/categories/${id}`)).menu_type, 'standard');
  });

  test('without display_order it goes to the end of its siblings', async () => {
    const { id } = await newSection();
    const first = await newDish(id, { display_order: 7 });
    const second = await newDish(id);
    const third = await newDish(id);
    assert.deepEqual([second.display_order, third.display_order], [8, 9]);
    const items = (await publicJson(`/items?category_id=${id}`)) as { id: number }[];
    assert.deepEqual(each(items, 'id'), [first.id, second.id, third.id]);
    const sections = (await publicJson('/categories')) as { id: number; menu_type: string }[];
    assert.ok(sections.some((section) => section.id === id));
  });

  test('behind the last place that there is, it shares that place', async () => {
    const { id } = await newSection();
    const last = 2 ** 31 - 1;
    await newDish(id, { display_order: last });
    assert.equal((await newDish(id)).display_order, last);
  });
});

describe('changing', () => {
  test('PUT and PATCH change the fields that are sent and no others', async () => {
    const { id } = await newSection();
    const dish = await newDish(id, { price: 5, description: { it: 'Buono' } });
    for (const [method, price] of Object.entries({ PUT: 6, PATCH: 7 })) {
      const changed = await data(call(method, `/items/${dish.id}`, { price }));
      assert.deepEqual({ ...changed, updated_at: null }, { ...dish, price, updated_at: null });
      assert.equal((await publicJson(`/items/${dish.id}`)).price, price);
    }
    assert.equal((await data(call('PUT', `/items/${dish.id}`, {}))).price, 7);
  });

  test('null and blank empty a field that may be empty', async () => {
    const { id } = await newSection();
    const type = await create('types', { category_id: id, name: { it: 'T' } });
    const dish = await newDish(id, { type_id: type.id, description: { it: 'D' } });
    const none = { type_id: '', description: null, allergens: ' ' };
    const emptied = await data(call('PUT', `/items/${dish.id}`, none));
    assert.deepEqual([emptied.type_id, emptied.description_translations], [null, {}]);
    const blank = await data(call('PUT', `/items/${dish.id}`, { description: '' }));
    assert.deepEqual([blank.description, blank.allergens], ['', []]);
    const unseen = await newDish(id, { name: { it: 'Zuppa', en: '\u200b', de: '\u2800' } });
    assert.deepEqual(unseen.name_translations, { it: 'Zuppa' });
  });

  test('a name has two hundred characters, whatever they are', async () => {
    const { id } = await newSection();
    const it = '🍕'.repeat(200);
    const dish = await newDish(id, { name: { it } });
    assert.equal((await publicJson(`/items/${dish.id}`)).name, it);
    const body = { category_id: id, name: { it: `${it}🍕` } };
    assert.equal((await call('POST', '/items', body)).status, 422);
  });

  test('the settings, in what the public API shows and in what only admins see', async () => {
    const changed = await data(
      call('PUT', '/settings', {
        name: 'Osteria Nuova',
        logo_url: '',
        // No name of a host by the rules, and the address of many pictures all the same.
        cover_image_url: 'https://my_bucket.s3.example/a.jpg',
        email: 'ciao@osteria.example',
        timezone: 'Asia/Kolkata',
        slug: 'altro',
        id: 77,
      }),
    );
    assert.equal(changed.timezone, 'Asia/Kolkata');
    const { timezone, updated_at, embed_origins, fallback_locale, chain: _own, ...shown } = changed;
    assert.deepEqual(await publicJson('/restaurant'), asGuestsSee(records.settings, shown));
    assert.deepEqual([shown.slug, shown.id, shown.logo_url], ['osteria', service.tenantId, null]);
    assert.deepEqual(await data(service.admin.get('/settings')), changed);
    assert.ok(timezone && updated_at);
    assert.deepEqual([embed_origins, fallback_locale], ['', 'it']);
    const overview = await data(service.admin.get('/analytics/overview'));
    assert.equal(overview.timezone, 'Asia/Kolkata', 'the calendar of reports');
  });

  test('the languages: what is dropped is served in Italian, what is new is there', async () => {
    await data(call('PUT', '/settings', { supported_locales: ['it', 'en'] }));
    assert.equal((await service.client.get('/menu/fr')).json.meta.locale, 'it');
    await data(call('PUT', '/settings', { supported_locales: ['it', 'fr'], default_locale: 'fr' }));
    assert.equal((await service.client.get('/menu')).json.meta.locale, 'fr');
    assert.equal((await service.client.get('/categories')).status, 200);
    const all = ['it', 'en', 'fr', 'de', 'es'];
    await data(call('PUT', '/settings', { supported_locales: all, default_locale: 'it' }));
  });

  test('the theme', async () => {
    const parts = { primary_color: '#00ffAA', layout_variant: 'grid' };
    const changed = await data(call('PATCH', '/theme', parts));
    const { updated_at, chain: _own, ...shown } = changed;
    assert.ok(updated_at);
    assert.deepEqual(await publicJson('/theme'), shown);
    assert.deepEqual([shown.primary_color, shown.layout_variant], ['#00ffAA', 'grid']);
  });

  test('a winery, and every wine shows it', async () => {
    const { id } = await newSection({ menu_type: 'wine' });
    const winery = await create('wineries', { name: 'Prima' });
    const wine = await newDish(id, { winery_id: winery.id });
    const later = { name: 'Dopo', website: 'https://d.example' };
    await data(call('PUT', `/wineries/${winery.id}`, later));
    assert.equal((await publicJson(`/items/${wine.id}`)).winery.name, 'Dopo');
  });
});

describe('deleting and restoring', () => {
  test('a dish: 204 without a body, gone for every reader, back when restored', async () => {
    const { id } = await newSection();
    const dish = await newDish(id);
    assert.equal((await call('DELETE', `/items/${dish.id}`)).expect(204).text, '');
    assert.equal(await publicStatus(`/items/${dish.id}`), 404);
    assert.equal((await service.admin.get(`/items/${dish.id}`)).status, 404);
    assert.equal((await call('DELETE', `/items/${dish.id}`)).status, 404);
    assert.equal((await call('PUT', `/items/${dish.id}`, { price: 1 })).status, 404);
    assert.equal((await data(call('POST', `/items/${dish.id}/restore`))).deleted_at, null);
    assert.equal(await publicStatus(`/items/${dish.id}`), 200);
    await data(call('POST', `/items/${dish.id}/restore`));
  });

  test('a section takes what it holds along, and restoring undoes exactly that', async () => {
    const top = await newSection();
    const below = await newSection({ parent_id: top.id });
    const type = await create('types', { category_id: below.id, name: { it: 'T' } });
    const dish = await newDish(below.id, { type_id: type.id });
    const before = await newDish(below.id);
    const typeBefore = await create('types', { category_id: top.id, name: { it: 'T' } });
    const belowBefore = await newSection({ parent_id: top.id });
    await call('DELETE', `/items/${before.id}`);
    await call('DELETE', `/types/${typeBefore.id}`);
    await call('DELETE', `/categories/${belowBefore.id}`);
    await call('DELETE', `/categories/${top.id}`);
    for (const path of [`/categories/${top.id}`, `/categories/${below.id}`, `/items/${dish.id}`]) {
      assert.equal(await publicStatus(path), 404);
    }
    assert.equal((await service.admin.get(`/types/${type.id}`)).status, 404);
    await data(call('POST', `/categories/${top.id}/restore`));
    assert.equal((await publicJson(`/items/${dish.id}`)).type_id, type.id);
    for (const gone of [`items/${before.id}`, `types/${typeBefore.id}`]) {
      assert.equal((await service.admin.get(`/${gone}`)).status, 404, 'it had been deleted before');
    }
    assert.equal(await publicStatus(`/categories/${belowBefore.id}`), 404, 'and so had this');
  });

  test('below something deleted nothing can be restored, and the reason is said', async () => {
    const top = await newSection();
    const below = await newSection({ parent_id: top.id });
    const dish = await newDish(below.id);
    await call('DELETE', `/items/${dish.id}`);
    await call('DELETE', `/categories/${top.id}`);
    for (const [path, field] of [
      [`/items/${dish.id}`, 'category_id'],
      [`/categories/${below.id}`, 'parent_id'],
    ]) {
      const refused = (await call('POST', `${path}/restore`)).expect(422);
      assert.match(refused.json.errors[field as string][0], /eliminato: ripristinare prima/);
    }
  });

  test('a type or a winery leaves its dishes there, and comes back to them', async () => {
    const { id } = await newSection();
    const type = await create('types', { category_id: id, name: { it: 'T' } });
    const winery = await create('wineries', { name: 'W' });
    const dish = await newDish(id, { type_id: type.id, winery_id: winery.id });
    await call('DELETE', `/types/${type.id}`);
    await call('DELETE', `/wineries/${winery.id}`);
    const bare = await publicJson(`/items/${dish.id}`);
    assert.deepEqual([bare.type_id, bare.winery_id, bare.winery], [null, null, null]);
    await data(call('POST', `/types/${type.id}/restore`));
    await data(call('POST', `/wineries/${winery.id}/restore`));
    const whole = await publicJson(`/items/${dish.id}`);
    assert.deepEqual([whole.type_id, whole.winery_id], [type.id, winery.id]);
  });

  test('a dish that leaves its section has left a type that is deleted, too', async () => {
    const [here, there] = [await newSection(), await newSection()];
    const type = await create('types', { category_id: here.id, name: { it: 'T' } });
    const dish = await newDish(here.id, { type_id: type.id });
    await call('DELETE', `/types/${type.id}`);
    const moved = await data(call('PUT', `/items/${dish.id}`, { category_id: there.id }));
    assert.equal(moved.type_id, null);
    await data(call('POST', `/types/${type.id}/restore`));
    await data(call('PUT', `/types/${type.id}`, { category_id: there.id }));
    assert.equal((await publicJson(`/items/${dish.id}`)).type_id, null);
    // Nothing holds the type there.
    await data(call('PUT', `/types/${type.id}`, { category_id: here.id }));
  });

  test('a type that leaves its section has left the dishes that are deleted there', async () => {
    const [here, there] = [await newSection(), await newSection()];
    const type = await create('types', { category_id: here.id, name: { it: 'T' } });
    const dish = await newDish(here.id, { type_id: type.id });
    await call('DELETE', `/items/${dish.id}`);
    await data(call('PUT', `/types/${type.id}`, { category_id: there.id }));
    assert.equal((await data(call('POST', `/items/${dish.id}/restore`))).type_id, null);
    await data(call('PUT', `/types/${type.id}`, { category_id: here.id }));
    assert.equal((await publicJson(`/items/${dish.id}`)).type_id, null, 'it does not come back');
    const moved = await data(call('PUT', `/items/${dish.id}`, { category_id: there.id }));
    assert.equal(moved.type_id ?? (await publicJson(`/items/${dish.id}`)).type_id, null);
  });

  test('what does not exist is 404', async () => {
    for (const path of ['/items/999999', '/categories/0', '/types/x', '/wineries/99999999999']) {
      assert.equal((await service.admin.get(path)).status, 404, path);
      assert.equal((await call('PUT', path, {})).status, 404, path);
      assert.equal((await call('DELETE', path)).status, 404, path);
      const restored = await call('POST', `${path}/restore`);
      assert.equal(restored.status, 404, path);
      assert.deepEqual(restored.json, { success: false, message: 'Resource not found.' });
    }
  });
});

describe('reading', () => {
  test('lists are paged, in the order of ids, inactive records too, deleted ones apart', async () => {
    const { id } = await newSection({ is_active: false });
    const dishes = [await newDish(id, { is_active: false }), await newDish(id), await newDish(id)];
    await call('DELETE', `/items/${dishes[2].id}`);
    const page = async (query: string) => (await service.admin.get(`/items?${query}`)).json;
    const all = await page(`category_id=${id}`);
    assert.deepEqual(each(all.data, 'id'), [dishes[0].id, dishes[1].id]);
    const second = await page(`category_id=${id}&per_page=1&page=2`);
    const { generated_at, ...meta } = second.meta;
    assert.ok(generated_at);
    assert.deepEqual(meta, { total: 2, page: 2, per_page: 1, last_page: 2 });
    assert.equal(second.data[0].id, dishes[1].id);
    const deleted = await page(`category_id=${id}&deleted=1`);
    assert.deepEqual([deleted.data.length, deleted.data[0].id], [1, dishes[2].id]);
    assert.ok(deleted.data[0].deleted_at);
    assert.deepEqual((await page('page=999')).data, []);
    assert.equal((await service.admin.get('/items?deleted=forse')).status, 422);
    for (const none of ['2147483647', '99999999999', '-1', '9'.repeat(30), '9'.repeat(400)]) {
      assert.deepEqual((await page(`category_id=${none}`)).data, []);
    }
  });

  test('types are listed by their section as dishes are, what has no section is not', async () => {
    const [here, there] = [await newSection(), await newSection()];
    const type = await create('types', { category_id: here.id, name: { it: 'Qui' } });
    await create('types', { category_id: there.id, name: { it: 'Là' } });
    await create('wineries', { name: 'W' });
    const list = async (path: string) => (await service.admin.get(path)).json;
    const { data: types, meta } = await list(`/types?category_id=${here.id}`);
    assert.deepEqual([each(types, 'id'), meta.total], [[type.id], 1]);
    for (const path of ['/wineries', '/categories']) {
      const all = await list(path);
      assert.deepEqual((await list(`${path}?category_id=${here.id}`)).data, all.data, path);
    }
  });

  test('every kind of record can be read, and HEAD works', async () => {
    for (const path of ['/categories', '/types', '/wineries', '/settings', '/theme', '/items']) {
      (await service.admin.get(path)).expect(200);
      const head = await call('HEAD', path);
      assert.deepEqual([head.status, head.text], [200, '']);
    }
  });
});

describe('optimistic locking', () => {
  test('If-Match lets a change through only if no other change came before', async () => {
    const { id } = await newSection();
    const dish = await newDish(id);
    const path = `/items/${dish.id}`;
    const { etag = '' } = (await service.admin.get(path)).headers;
    const first = (await call('PUT', path, { price: 2 }, { 'If-Match': etag })).expect(200);
    const { etag: present } = first.headers;
    assert.equal(present, (await service.admin.get(path)).headers.etag);
    const late = await call('PUT', path, { price: 3 }, { 'If-Match': etag });
    assert.deepEqual([late.status, late.json.success], [412, false]);
    assert.deepEqual([late.json.data.price, late.headers.etag], [2, present], 'the present one');
    const old = { 'If-Match': etag };
    assert.equal((await call('DELETE', path, undefined, old)).status, 412);
    assert.equal((await call('POST', `${path}/restore`, undefined, old)).status, 412);
    for (const matching of ['*', `"x", ${present}`, `W/"x", ${present}`, `W/${present}`]) {
      assert.equal((await call('PUT', path, {}, { 'If-Match': matching })).status, 200, matching);
    }
    for (const other of [`W/${etag}`, 'W/"x"', `W/"x${present}`, 'W/*']) {
      assert.equal((await call('PUT', path, {}, { 'If-Match': other })).status, 412, other);
    }
  });

  test('of many that have seen the same record, one gets through', async () => {
    const { id } = await newSection();
    const path = `/categories/${id}`;
    const { etag = '' } = (await service.admin.get(path)).headers;
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        call('PUT', path, { notes: `n${i}` }, { 'If-Match': etag }),
      ),
    );
    const statuses = replies.map(({ status }) => status).sort((left, right) => left - right);
    assert.deepEqual(statuses, [200, ...Array(9).fill(412)]);
  });

  test('settings and theme have tags too', async () => {
    for (const path of ['/settings', '/theme']) {
      const { etag = '' } = (await service.admin.get(path)).headers;
      assert.equal((await call('PUT', path, {}, { 'If-Match': etag })).status, 200);
      assert.equal((await call('PUT', path, {}, { 'If-Match': '"old"' })).status, 412);
    }
  });
});
