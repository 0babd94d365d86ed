// A program as an integrator writes it: all that it knows of the API are generated types. It is
// compiled and run by test/thorough/typed-client.test.ts, and prints what it got.
import type { paths } from 'lavagna-api';
import createClient from 'openapi-fetch';

const [baseUrl = '', token = ''] = process.argv.slice(2);
const api = createClient<paths>({ baseUrl });
const admin = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });

/** The data of an answer, which must have some. */
function need<T>(answer: { data?: T; error?: unknown; response: Response }): T {
  if (answer.data === undefined) {
    throw new Error(`${answer.response.status}: ${JSON.stringify(answer.error)}`);
  }
  return answer.data;
}

const menu = need(await api.GET('/menu/{locale}', { params: { path: { locale: 'de' } } }));
const firstSection: number | undefined = menu.data.sections[0]?.id;
const locale: (typeof menu.data.settings.supported_locales)[number] = menu.meta.locale;

const query = { search: 'gnocchi', is_recommended: '0', per_page: 5 } as const;
const found = need(await api.GET('/items', { params: { query } }));
const prices: number[] = found.data.map((dish) => dish.price);

const section = need(
  await admin.POST('/admin/categories', { body: { name: { it: 'Dolci', en: 'Desserts' } } }),
);
// With 202 the data would be the job's.
if (!('name' in section.data)) throw new Error('not created');
const dish = await admin.POST('/admin/items', {
  body: {
    category_id: section.data.id,
    name: { it: 'Tiramisù' },
    price: 5.5,
    allergens: ['uova', 'latte'],
  },
});
const created = need(dish);
// The type of a body demands no field that the body may leave out.
const dishId = 'id' in created.data ? created.data.id : 0;
need(
  await admin.PATCH('/admin/items/{id}', {
    params: { path: { id: dishId } },
    body: {
      offers: [{ price: 4, weekdays: [1] }],
      courses: [{ label: { it: 'Dolce' }, options: [{ label: { it: 'Tiramisù' } }] }],
    },
  }),
);
const name = 'name' in created.data ? created.data.name : null;

const refused = await admin.POST('/admin/items', { body: { category_id: 1, name: { it: '' } } });
// A host that is no restaurant answers with a page: an error may be text.
const errors =
  typeof refused.error === 'object' && 'errors' in refused.error ? refused.error.errors : undefined;
const unknown = await api.GET('/items/{id}', { params: { path: { id: 2_147_483_647 } } });

const overview = need(await admin.GET('/admin/analytics/overview'));
const today: number | undefined = overview.data.by_day.at(-1)?.events;
const events = need(
  await api.POST('/analytics/events', { body: [{ type: 'menu_view', locale: 'it' }] }),
);

/** Never called: bodies with what they must have. */
export function shortest() {
  void admin.POST('/admin/releases', { body: { name: 'Autunno' } });
  void admin.POST('/admin/bulk', { body: { operations: [] } });
  const hook = { url: 'https://till.example.com', events: ['menu.version'] } as const;
  void admin.POST('/admin/webhooks', { body: { ...hook, events: [...hook.events] } });
}

/** Never called: what the types refuse, so that they are known to refuse something. */
export function mistakes() {
  // @ts-expect-error there is no such path
  void api.GET('/menus');
  // @ts-expect-error the path has no such method
  void api.DELETE('/menu');
  // @ts-expect-error the body lacks a name
  void admin.POST('/admin/items', { body: { category_id: 1 } });
  // @ts-expect-error there is no such layout
  void admin.PUT('/admin/theme', { body: { layout_variant: 'round' } });
  // @ts-expect-error there is no such allergen
  void api.POST('/analytics/events', { body: { type: 'allergen_filter', allergen: 'sale' } });
}

const status = { created: dish.response.status, unknown: unknown.response.status };
const { accepted } = events.data;
const result = { firstSection, locale, prices, name, errors, today, accepted };
console.log(JSON.stringify({ ...result, status }));
