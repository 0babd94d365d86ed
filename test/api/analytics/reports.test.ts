import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shiftDay } from '../../../db/runtime/day.ts';
import { countDays } from '../../../gateway/analytics/reports/period.ts';
import { issueToken } from '../../support/admin.ts';
import { each } from '../../support/each.ts';
import { menuService } from '../../support/menu-service.ts';
import { dishOf, plant, restaurantOf, sectionOf } from '../../support/restaurant.ts';

/** Italian names, English ones for some; the default language is English. */
const restaurant = restaurantOf(
  'osteria',
  [
    sectionOf('Primi', {
      name: { it: 'Primi', en: 'Pasta' },
      dishes: [
        dishOf('Tortelli', { name: { it: 'Tortelli', en: 'Tortelli of Parma' } }),
        dishOf('Gnocchi', { allergens: ['latte'] }),
        dishOf('Lasagne', { allergens: ['latte'] }),
      ],
    }),
    sectionOf('Secondi', [
      dishOf('Arrosto', { allergens: ['latte'] }),
      dishOf('Nascosto', { is_active: false }),
      dishOf('Bollito', { allergens: ['latte'] }),
      dishOf('Fritto', { allergens: ['latte'] }),
    ]),
    sectionOf('Chiusa', { is_active: false, dishes: [dishOf('Invisibile')] }),
  ],
  { default_locale: 'en', supported_locales: ['it', 'en', 'de'] },
);

const service = await menuService([restaurant]);
const { db, gateway, tenantId } = service;

const token = await issueToken(db, tenantId, ['analytics:read']);
const ids: Record<string, number> = {};
for (const table of ['dishes', 'sections']) {
  const rows = await service.sql(`select id, name->>'it' as name from ${table}`);
  for (const { id, name } of rows) ids[name] = id;
}

type Row = [
  scope: string,
  day: string,
  key: string | number,
  events: number,
  visitors?: number,
  byLocale?: number[],
];

async function givenCounts(...rows: Row[]) {
  await service.sql('delete from analytics_counts');
  const counts = rows.map(([scope, day, key, events, visitors = 0, views_by_locale = null]) => {
    return { tenant_id: tenantId, scope, day, key, events, visitors, views_by_locale };
  });
  await service.sql`insert into analytics_counts
     select * from json_populate_recordset(null::analytics_counts, ${JSON.stringify(counts)})`;
}

function get(path: string, authorization = `Bearer ${token}`, slug = 'osteria') {
  const headers = { Authorization: authorization };
  return gateway.client(slug).get(`/admin/analytics/${path}`, headers);
}

async function report(path: string) {
  const response = (await get(path)).expect(200);
  assert.equal(response.json.success, true);
  assert.match(response.json.meta.generated_at, /\+00:00$/);
  return response.json.data;
}

const REPORTS = ['overview', 'items', 'sections', 'allergens', 'searches', 'insights'];
const MAY = 'from=2026-05-01&to=2026-05-10';

test('reports need a token of the tenant with the scope for them', async () => {
  const other = await plant(db, { ...restaurant, slug: 'altra' });
  const foreign = await issueToken(db, other, ['analytics:read']);
  const weak = await issueToken(db, tenantId, ['menu:read', 'menu:write']);
  for (const name of REPORTS) {
    assert.equal((await get(name)).status, 200);
    assert.equal((await get(name, '')).status, 401);
    assert.equal((await get(name, `Bearer ${foreign}`)).status, 401);
    assert.equal((await get(name, `Bearer ${weak}`)).status, 403);
  }
});

test('bad parameters are refused in Italian, by every report', async () => {
  const later = 'deve essere una data successiva o uguale al';
  const earlier = 'deve essere una data precedente o uguale al';
  const bad: [query: string, field: string, text: string][] = [
    ['from=yesterday', 'from', 'From non coincide con il formato YYYY-MM-DD.'],
    ['to=2026-02-30', 'to', 'To non coincide con il formato YYYY-MM-DD.'],
    ['from=2026-05-02&to=2026-05-01', 'to', `To ${later} 2026-05-02.`],
    ['from=2020-01-01&to=2026-05-01', 'to', `To ${earlier} 2023-01-04.`],
    ['from=1999-12-31', 'from', `From ${later} 2000-01-01.`],
    ['to=1999-12-31', 'to', `To ${later} 2000-01-01.`],
    ['limit=x', 'limit', 'Limit deve essere un numero intero.'],
    ['limit=0', 'limit', 'Limit deve essere almeno 1.'],
    ['limit=1001', 'limit', 'Limit non può essere superiore a 1000.'],
  ];
  for (const name of REPORTS) {
    for (const [query, field, text] of bad) {
      const response = (await get(`${name}?${query}`)).expect(422);
      assert.deepEqual(response.json.errors, { [field]: [text] });
    }
  }
});

test('the last thirty days of the restaurant’s calendar are the default', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Rome' }).format(new Date());
  const data = await report('overview');
  assert.equal(data.to, today);
  assert.equal(data.by_day.length, 30);
  assert.equal(data.by_day[0].date, data.from);
  assert.equal(data.timezone, 'Europe/Rome');
  const single = await report('overview?from=2026-05-03&to=2026-05-03');
  const { from, to } = single.previous;
  assert.deepEqual([from, to], ['2026-05-02', '2026-05-02']);
  const earliest = await report('overview?to=2000-01-15');
  assert.deepEqual([earliest.from, earliest.by_day.length], ['2000-01-01', 15]);
});

test('overview: totals, days, hours and languages, beside as many days before', async () => {
  await givenCounts(
    ['total', '2026-04-20', '', 999, 99],
    ['total', '2026-04-21', '', 40, 8],
    ['total', '2026-05-01', '', 20, 10],
    ['total', '2026-05-10', '', 40, 2],
    ['total', '2026-05-11', '', 999, 99],
    ['type', '2026-04-30', 'item_view', 10],
    ['type', '2026-05-02', 'item_view', 15],
    ['type', '2026-05-02', 'search', 5],
    ['hour', '2026-05-02', 20, 30, 4],
    ['hour', '2026-05-03', 20, 10, 3],
    ['locale', '2026-05-03', 'de', 45, 3],
    ['locale', '2026-05-03', '', 15, 2],
  );
  const data = await report(`overview?${MAY}`);
  const none = {
    ...{ menu_view: 0, section_view: 0, item_view: 0, search: 0, allergen_filter: 0 },
    ...{ locale_change: 0, review_click: 0 },
  };
  assert.deepEqual(data.totals, {
    ...{ events: 60, visitors: 12 },
    by_type: { ...none, item_view: 15, search: 5 },
  });
  assert.deepEqual(data.previous, {
    ...{ from: '2026-04-21', to: '2026-04-30', events: 40, visitors: 8 },
    by_type: { ...none, item_view: 10 },
  });
  const { events, visitors, by_type } = data.change;
  assert.deepEqual([events, visitors, by_type.item_view, by_type.search], [50, 50, 50, null]);
  assert.equal(data.by_day.length, 10);
  assert.deepEqual(data.by_day[0], { date: '2026-05-01', events: 20, visitors: 10 });
  assert.deepEqual(data.by_day[1], { date: '2026-05-02', events: 0, visitors: 0 });
  assert.equal(data.by_hour.length, 24);
  assert.deepEqual(data.by_hour[20], { hour: 20, events: 40, visitors: 7 });
  assert.deepEqual(data.by_locale, [
    { locale: 'de', events: 45, visitors: 3, share: 0.75 },
    { locale: null, events: 15, visitors: 2, share: 0.25 },
  ]);
});

test('items: views, shares and ranks in the default language, and what no guest opened', async () => {
  const { Tortelli = 0, Gnocchi = 0, Arrosto = 0, Nascosto = 0, Primi = 0 } = ids;
  await givenCounts(
    ['item', '2026-05-01', Gnocchi, 10, 5],
    ['item', '2026-05-02', Gnocchi, 20, 6],
    ['item', '2026-05-02', Tortelli, 60, 20],
    ['item', '2026-05-02', Nascosto, 10, 9],
    ['item', '2026-04-25', Gnocchi, 60, 9],
    ['item', '2026-04-25', Arrosto, 50, 9],
    ['item', '2026-04-25', Tortelli, 40, 9],
    ['item', '2026-05-02', 999_999, 500, 100],
  );
  const data = await report(`items?${MAY}`);
  assert.equal(data.total_views, 100);
  assert.equal(data.total_items, 3);
  assert.deepEqual(data.items[0], {
    ...{ id: Tortelli, name: 'Tortelli of Parma', category_id: Primi, category_name: 'Pasta' },
    ...{ is_active: true, views: 60, visitors: 20, share: 0.6, rank: 1, previous_views: 40 },
    ...{ previous_rank: 3, rank_change: 2, change: 50 },
  });
  assert.deepEqual(each(data.items, 'name'), ['Tortelli of Parma', 'Gnocchi', 'Nascosto']);
  assert.deepEqual(each(data.items, 'rank'), [1, 2, 3]);
  assert.deepEqual(each(data.items, 'rank_change'), [2, -1, null]);
  const never = each(data.never_viewed, 'name');
  assert.deepEqual(never, ['Lasagne', 'Arrosto', 'Bollito', 'Fritto']);
  assert.equal(data.total_never_viewed, 4);
  const short = await report(`items?${MAY}&limit=1`);
  assert.deepEqual([short.items.length, short.never_viewed.length, short.total_items], [1, 1, 3]);
});

test('items: each day of a period counts once, wherever months begin and end', async () => {
  const Gnocchi = ids.Gnocchi ?? 0;
  const months = { '2026-01-01': 31, '2026-02-01': 28, '2026-03-01': 31, '2026-04-01': 30 };
  await givenCounts(
    ...Object.entries(months).flatMap(([month, days]): Row[] => [
      ['item_month', month, Gnocchi, days],
      ...Array.from({ length: days }, (_, day): Row => ['item', shiftDay(month, day), Gnocchi, 1]),
    ]),
  );
  const edges = ['01-31', '02-01', '02-02', '02-28', '03-01', '04-30'];
  for (const from of edges.map((day) => `2026-${day}`)) {
    for (const to of edges.map((day) => `2026-${day}`).filter((day) => day >= from)) {
      const { total_views, items } = await report(`items?from=${from}&to=${to}`);
      const days = countDays(from, to);
      const before = Math.min(days, countDays('2026-01-01', from) - 1);
      assert.deepEqual([total_views, items[0].previous_views], [days, before], `${from} ${to}`);
    }
  }
});

test('sections: views of their own and of their dishes', async () => {
  await givenCounts(
    ['section', '2026-05-02', ids.Primi ?? 0, 30, 7],
    ['section', '2026-05-02', ids.Chiusa ?? 0, 10, 3],
    ['item', '2026-05-02', ids.Tortelli ?? 0, 8, 3],
    ['item', '2026-05-02', ids.Gnocchi ?? 0, 4, 3],
    ['item', '2026-05-02', ids.Arrosto ?? 0, 5, 3],
  );
  const data = await report(`sections?${MAY}`);
  assert.equal(data.total_views, 40);
  assert.deepEqual(data.sections[0], {
    ...{ id: ids.Primi, name: 'Pasta', parent_id: null, menu_type: 'standard', is_active: true },
    ...{ item_views: 12, views: 30, visitors: 7, share: 0.75, rank: 1, previous_views: 0 },
    ...{ previous_rank: null, rank_change: null, change: null },
  });
  const [unseen, ...others] = data.never_viewed;
  assert.deepEqual([unseen.name, unseen.item_views, others], ['Secondi', 5, []]);
});

test('allergens: filters used, and what they leave', async () => {
  await givenCounts(
    ['allergen', '2026-05-02', 'latte', 30, 7],
    ['allergen', '2026-05-02', 'soia', 10, 3],
    ['allergen', '2026-04-29', 'latte', 20, 3],
  );
  const data = await report(`allergens?${MAY}`);
  assert.equal(data.total_uses, 40);
  assert.equal(data.visible_dishes, 6);
  assert.deepEqual(data.allergens[0], {
    ...{ key: 'latte', name: 'Milk', remaining_dishes: 1, uses: 30, previous_uses: 20 },
    ...{ visitors: 7, share: 0.75, rank: 1, previous_rank: 1, rank_change: 0, change: 50 },
  });
  assert.equal(data.allergens[1].remaining_dishes, 6);
  assert.equal(data.never_used.length, 12);
});

test('what is deleted is not reported, and is again when it is restored', async () => {
  await givenCounts(['item', '2026-05-02', ids.Gnocchi ?? 0, 10, 5]);
  const mark = (value: string) =>
    service.sql(`update dishes set deleted_at = ${value} where id = $1`, [ids.Gnocchi]);
  await mark('now()');
  assert.deepEqual((await report(`items?${MAY}`)).items, []);
  await mark('null');
  assert.equal((await report(`items?${MAY}`)).items.length, 1);
});

interface Finding {
  kind: string;
  text: string;
  figures: Record<string, unknown>;
}

async function findings(query = MAY): Promise<Map<string, Finding>> {
  const data = await report(`insights?${query}`);
  return new Map(data.findings.map((finding: Finding) => [finding.kind, finding]));
}

test('insights: nothing is found in nothing', async () => {
  await givenCounts();
  assert.deepEqual((await report('insights')).findings, []);
});

test('insights: plain words with the figures behind them', async () => {
  const { Tortelli = 0, Gnocchi = 0, Lasagne = 0 } = ids;
  await givenCounts(
    ['total', '2026-04-25', '', 1000, 100],
    ['total', '2026-05-02', '', 1000, 150],
    ['item', '2026-04-25', Tortelli, 100],
    ['item', '2026-05-01', Tortelli, 200, 0, [100, 60, 0, 20, 0]],
    ['item', '2026-05-02', Tortelli, 100, 0, [80, 10, 0, 10, 0]],
    ['item', '2026-04-25', Gnocchi, 400],
    ['item', '2026-05-02', Gnocchi, 200, 0, [188, 0, 0, 12, 0]],
    ['item', '2026-04-25', Lasagne, 100],
    ['item', '2026-05-02', Lasagne, 100],
    ['hour', '2026-05-02', 20, 500, 90],
    ['hour', '2026-05-02', 13, 500, 60],
    ['allergen', '2026-05-02', 'latte', 17],
    ['allergen', '2026-05-02', 'soia', 40],
  );
  const found = await findings();
  assert.deepEqual(found.get('visitors'), {
    kind: 'visitors',
    text: 'There were 150 visitors, 100 in the period before (+50%).',
    figures: { visitors: 150, previous_visitors: 100, change: 50 },
  });
  assert.equal(
    found.get('rising_item')?.text,
    '“Tortelli of Parma” is rising: opened 300 times, 100 in the period before (+200%).',
  );
  assert.equal(found.get('falling_item')?.figures.item_id, Gnocchi);
  assert.deepEqual(found.get('missing_translations')?.figures, {
    ...{ locale: 'de', items: 2, views: 42 },
    examples: [
      { id: Tortelli, name: 'Tortelli of Parma', views: 30 },
      { id: Gnocchi, name: 'Gnocchi', views: 12 },
    ],
  });
  assert.equal(
    found.get('narrow_allergen')?.text,
    'The filter “Milk” was used 17 times and leaves only 1 of 6 dishes.',
  );
  assert.deepEqual(found.get('never_viewed')?.figures.count, 3);
  assert.deepEqual(found.get('busiest_hour')?.figures, { hour: 20, visitors: 90, share: 0.6 });
});

test('insights: chance is no trend, and few guests show no rhythm', async () => {
  await givenCounts(
    ['item', '2026-04-25', ids.Tortelli ?? 0, 20],
    ['item', '2026-05-02', ids.Tortelli ?? 0, 26],
    ['item', '2026-04-25', ids.Gnocchi ?? 0, 26],
    ['item', '2026-05-02', ids.Gnocchi ?? 0, 20],
    ['hour', '2026-05-02', 20, 500, 20],
  );
  const kinds = [...(await findings()).keys()];
  assert.deepEqual(kinds, ['never_viewed']);
});

test('insights: the weekday on which most guests come', async () => {
  const days = Array.from({ length: 28 }, (_, index): Row => {
    const day = new Date(Date.UTC(2026, 4, 1 + index));
    const visitors = day.getUTCDay() === 6 ? 90 : 30;
    return ['total', day.toISOString().slice(0, 10), '', visitors * 5, visitors];
  });
  await givenCounts(...days);
  const found = (await findings('from=2026-05-01&to=2026-05-28')).get('busiest_weekday');
  assert.deepEqual(found?.figures, { weekday: 6, average: 90, overall_average: 38.6 });
  assert.match(found?.text ?? '', /Saturday: 90 visitors on average, against 38\.6/);
});

test('insights are told in the restaurant’s own language', async () => {
  await givenCounts(['total', '2026-04-25', '', 1, 100], ['total', '2026-05-02', '', 1, 2500]);
  const texts = {
    it: 'I visitatori sono 2500, erano 100 nel periodo precedente (+2400%).',
    de: 'Es kamen 2.500 Besucher, im Zeitraum davor 100 (+2.400 %).',
    fr: 'Il y a eu 2 500 visiteurs, contre 100 la période précédente (+2 400 %).',
    es: 'Hubo 2500 visitantes, frente a 100 en el periodo anterior (+2400 %).',
  };
  for (const [locale, text] of Object.entries(texts)) {
    await service.sql`update settings set default_locale = ${locale},
      supported_locales = array[${locale}, 'it'] where tenant_id = ${tenantId}`;
    assert.equal((await findings()).get('visitors')?.text.replace(/\s/gu, ' '), text);
  }
});
