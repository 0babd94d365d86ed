// The hours of a restaurant on its page, in five languages, and for search engines.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DemoRestaurant } from '../../../db/operator/demo/restaurant.ts';
import { trattoria } from '../../../db/operator/demo/restaurant.ts';
import { menuService } from '../../support/menu-service.ts';

const bar: DemoRestaurant = {
  ...trattoria,
  slug: 'bar',
  settings: { ...trattoria.settings, address: '', supported_locales: ['it', 'en', 'ar'] },
};
const festive: DemoRestaurant = {
  ...trattoria,
  slug: 'festa',
  settings: {
    ...trattoria.settings,
    special_hours: [
      { date: '2099-12-31', time_start: '19:00', time_end: '02:00', text: { it: 'Cenone' } },
      { date: '2099-12-31', time_start: '12:00', time_end: '14:00' },
    ],
  },
};
delete bar.settings.opening_hours;
delete bar.settings.closures;
delete bar.settings.map_url;
delete bar.settings.social_urls;
delete bar.settings.cuisine;

const service = await menuService([trattoria, bar, festive]);

const pageOf = async (slug: string, locale: string) =>
  (await service.gateway.client(slug).send(`/?lang=${locale}`)).text;
const dataOf = (text: string) =>
  JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text)?.[1] ?? '');

test('the page has a table of hours and closures that needs no script', async () => {
  const text = await pageOf('trattoria', 'it');
  assert.match(text, /<h2 id="hours-title">Orari di apertura<\/h2>/);
  assert.match(text, /<dt>mar<\/dt><dd>chiuso<\/dd>/);
  assert.match(
    text,
    /<dt>lun, mer\u2009–\u2009sab<\/dt><dd>12:30\u2009–\u200915:00, 19:30\u2009–\u200923:30<\/dd>/,
  );
  assert.match(text, /<dt>dom<\/dt><dd>12:30\u2009–\u200915:00<\/dd>/);
  assert.match(
    text,
    /data-last="2027-08-29"><dt>[^<]*29 ago 2027<\/dt><dd>chiuso · <span[^>]*>Ferie/,
  );
  assert.match(text, /href="https:\/\/maps.example\/da-iole"[^>]*>Mappa</);
  assert.match(text, />photos.example</);
  const german = (await pageOf('trattoria', 'de')).replaceAll('\u00ad', '');
  assert.match(german, /<dd>geschlossen · <span[^>]*>Sommerferien/);
});

test('the page of a restaurant that states no hours has nothing of them', async () => {
  const text = await pageOf('bar', 'ar');
  assert.doesNotMatch(text, /id="(open|hours)"|"openUntil"|class="places"/);
  const { openingHoursSpecification, address, hasMap, sameAs, servesCuisine } = dataOf(text);
  const all = [openingHoursSpecification, address, hasMap, sameAs, servesCuisine];
  assert.deepEqual(
    all,
    Array.from(all, () => undefined),
  );
});

test('search engines get the address, the hours, the closures and the cuisine', async () => {
  const data = dataOf(await pageOf('trattoria', 'en'));
  assert.deepEqual(data.address, {
    '@type': 'PostalAddress',
    streetAddress: 'Via dei Cocciari 12, 00153 Roma (RM)',
  });
  assert.deepEqual(
    [data.servesCuisine, data.hasMap],
    ['Roman cuisine', 'https://maps.example/da-iole'],
  );
  assert.deepEqual(data.sameAs, ['https://photos.example/daiole']);
  const [lunch, , closure] = data.openingHoursSpecification;
  assert.deepEqual([lunch.opens, lunch.closes, lunch.dayOfWeek.length], ['12:30', '15:00', 6]);
  assert.deepEqual(closure, {
    '@type': 'OpeningHoursSpecification',
    ...{ validFrom: '2027-08-09', validThrough: '2027-08-29', opens: '00:00', closes: '00:00' },
    description: 'Summer holidays',
  });
});

test('the page and search engines get the hours of single days, and other houses none', async () => {
  const text = await pageOf('festa', 'it');
  assert.match(
    text,
    /data-last="2099-12-31"><dt>[^<]*31 dic 2099<\/dt><dd>12:00\u2009–\u200914:00, 19:00\u2009–\u200902:00 · <span[^>]*>Cenone/,
  );
  assert.match(text, /id="open" data-hours="[^"]*special_hours/);
  const { specialOpeningHoursSpecification: days, openingHoursSpecification } = dataOf(text);
  assert.deepEqual(days[0], {
    '@type': 'OpeningHoursSpecification',
    ...{ validFrom: '2099-12-31', validThrough: '2099-12-31', opens: '19:00', closes: '02:00' },
    description: 'Cenone',
  });
  assert.equal(days.length, 2);
  assert.equal(openingHoursSpecification.length, 3);
  assert.doesNotMatch(await pageOf('trattoria', 'it'), /special/i);
});
