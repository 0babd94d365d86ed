// The hours of a restaurant on its page, in five languages, and for search engines.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DemoRestaurant } from '../../../db/operator/demo/restaurant.ts';
import { trattoria } from '../../../db/operator/demo/restaurant.ts';
import type { Response } from '../../support/http.ts';
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

const pageOf = (slug: string, locale: string) =>
  service.gateway.client(slug).send(`/?lang=${locale}`);
const dataOf = ({ text }: Response) =>
  JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text)?.[1] ?? '');

test('the page has a table of hours and closures that needs no script', async () => {
  (await pageOf('trattoria', 'it')).shows(
    /<h2 id="hours-title">Orari di apertura<\/h2>/,
    /<dt>mar<\/dt><dd>chiuso<\/dd>/,
    /<dt>lun, mer\u2009–\u2009sab<\/dt><dd>12:30\u2009–\u200915:00, 19:30\u2009–\u200923:30<\/dd>/,
    /<dt>dom<\/dt><dd>12:30\u2009–\u200915:00<\/dd>/,
    /data-last="2027-08-29"><dt>[^<]*29 ago 2027<\/dt><dd>chiuso · <span[^>]*>Ferie/,
    /href="https:\/\/maps.example\/da-iole"[^>]*>Mappa</,
    />photos.example</,
  );
  const german = (await pageOf('trattoria', 'de')).text.replaceAll('\u00ad', '');
  assert.match(german, /<dd>geschlossen · <span[^>]*>Sommerferien/);
});

test('the page of a restaurant that states no hours has nothing of them', async () => {
  const page = await pageOf('bar', 'ar');
  page.hides(/id="(open|hours)"|"openUntil"|class="places"/);
  const { openingHoursSpecification, address, hasMap, sameAs, servesCuisine } = dataOf(page);
  const all = [openingHoursSpecification, address, hasMap, sameAs, servesCuisine];
  const stated = all.filter((one) => one !== undefined);
  assert.deepEqual(stated, []);
});

test('search engines get the address, the hours, the closures and the cuisine', async () => {
  const data = dataOf(await pageOf('trattoria', 'en'));
  const streetAddress = 'Via dei Cocciari 12, 00153 Roma (RM)';
  assert.deepEqual(data.address, { '@type': 'PostalAddress', streetAddress });
  const { servesCuisine, hasMap, sameAs } = data;
  assert.deepEqual([servesCuisine, hasMap], ['Roman cuisine', 'https://maps.example/da-iole']);
  assert.deepEqual(sameAs, ['https://photos.example/daiole']);
  const [lunch, , closure] = data.openingHoursSpecification;
  assert.deepEqual([lunch.opens, lunch.closes, lunch.dayOfWeek.length], ['12:30', '15:00', 6]);
  assert.deepEqual(closure, {
    '@type': 'OpeningHoursSpecification',
    ...{ validFrom: '2027-08-09', validThrough: '2027-08-29', opens: '00:00', closes: '00:00' },
    description: 'Summer holidays',
  });
});

test('the page and search engines get the hours of single days, and other houses none', async () => {
  const page = await pageOf('festa', 'it');
  page.shows(
    /data-last="2099-12-31"><dt>[^<]*31 dic 2099<\/dt><dd>12:00\u2009–\u200914:00, 19:00\u2009–\u200902:00 · <span[^>]*>Cenone/,
    /id="open" data-hours="[^"]*special_hours/,
  );
  const { specialOpeningHoursSpecification: days, openingHoursSpecification } = dataOf(page);
  assert.deepEqual(days[0], {
    '@type': 'OpeningHoursSpecification',
    ...{ validFrom: '2099-12-31', validThrough: '2099-12-31', opens: '19:00', closes: '02:00' },
    description: 'Cenone',
  });
  assert.equal(days.length, 2);
  assert.equal(openingHoursSpecification.length, 3);
  (await pageOf('trattoria', 'it')).hides(/special/i);
});
