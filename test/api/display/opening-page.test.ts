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
delete bar.settings.opening_hours;
delete bar.settings.closures;
delete bar.settings.map_url;
delete bar.settings.social_urls;
delete bar.settings.cuisine;

const service = await menuService([trattoria, bar]);

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
