import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../load/client.ts';
import { type GuestReport, startGuests } from '../load/guests.ts';
import { openPage } from '../load/open-page.ts';
import { percentilesOf } from '../load/percentiles.ts';
import { openRestaurant, publishPrice } from '../load/restaurant.ts';
import { startGateway } from '../processes/lavagna.ts';
import { withFolder } from '../processes/temporary-folder.ts';
import { atMost, type Figure } from '../result.ts';
import type { Scenario } from '../scenario.ts';

/** The limits of a gateway by default: guests of one address share them. */
const LIMITS = { LIMIT_PUBLIC: '120', LIMIT_ANALYTICS: '300' };
/** They come within a minute, as far as there is one. */
const ARRIVAL_SECONDS = 60;
const ARRIVAL_SHARE = 0.2;
/** No dish of the demo costs as much: the price of a change stands nowhere else in the page. */
const DEAREST = 500;
const MAX_MS = 1_000;

/**
 * The guests of one Wi-Fi share an address. All open the page within a minute, stay, and see every
 * change; beside them the page is open in a real browser.
 */
export const guests: Scenario = {
  name: 'guests',
  run: ({ lavagna, size, slugs, host, progress }) =>
    withFolder('guests', async (folder) => {
      await using gateway = await startGateway('gateway', lavagna.databaseUrl, { env: LIMITS });
      using client = createClient(gateway.port);
      await using crowd = await startGuests();
      const restaurant = await openRestaurant(client, slugs[0] ?? '');
      const name = host(restaurant.slug);
      const dish = `#dish-${restaurant.dishId} .price`;
      await using page = await openPage(`http://${name}:${gateway.port}/`, dish, folder);
      const arrival = Math.min(ARRIVAL_SECONDS, size.guestSeconds * ARRIVAL_SHARE);
      progress(`${size.guests} guests arrive within ${arrival} s`);
      const place = { port: gateway.port, host: name };
      let report: GuestReport = await crowd.run({
        ...{ kind: 'arrive', count: size.guests, seconds: arrival, ...place },
      });
      const times: number[] = [];
      const browserTimes: number[] = [];
      const pause = ((size.guestSeconds - arrival) * 1_000) / size.guestChanges;
      for (let change = 1; change <= size.guestChanges; change += 1) {
        progress(`change ${change} of ${size.guestChanges}`);
        const pausing = sleep(pause);
        const { answeredAt } = await publishPrice(client, restaurant, DEAREST + change);
        const text = `${DEAREST + change},00`;
        report = await crowd.run({ kind: 'show', text });
        for (const at of report.moments) times.push(at - answeredAt);
        browserTimes.push((await page.shownAt(text)) - answeredAt);
        await pausing;
      }
      const [all, shown] = [percentilesOf(times), percentilesOf(browserTimes)];
      const { refusals, refusedEvents } = report;
      for (const refusal of new Set(refusals)) progress(`refused: ${refusal}`);
      const figures: Figure[] = [
        { name: 'refusals', unit: '', median: refusals.length },
        {
          name: 'refused reports of what guests looked at, sent again',
          unit: '',
          median: refusedEvents,
        },
        { name: 'from the answer to the new page, p50', unit: 'ms', median: all.p50 },
        { name: 'p99', unit: 'ms', median: all.p99 },
        { name: 'slowest', unit: 'ms', median: all.max },
        { name: 'shown in a browser, p50', unit: 'ms', median: shown.p50 },
        { name: 'slowest in the browser', unit: 'ms', median: shown.max },
      ];
      const goals = [
        atMost('refusals of guests of one address', refusals.length, 0),
        atMost('ms until all guests have a change, p99', all.p99, MAX_MS),
        atMost('ms until a browser shows a change, slowest', shown.max, MAX_MS),
      ];
      const minutes = (size.guestSeconds / 60).toFixed(1);
      const title = `${size.guests} guests of one address, ${size.guestChanges} changes in ${minutes} minutes`;
      return [{ title, figures, goals }];
    }),
};
