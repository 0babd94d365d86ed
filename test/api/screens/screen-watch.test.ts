// Screens that are away in opening hours: who is told, when, and how often.
import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import type { LinkMail, Mail } from '../../../db/actions/mail.ts';
import { compose } from '../../../db/actions/mail.ts';
import { constants } from '../../../db/runtime/constants.ts';
import { stopOnce } from '../../../db/runtime/running.ts';
import { makeSecret } from '../../../db/schema/webhook.ts';
import { recordScreenContacts } from '../../../db/sql/screens.ts';
import { insertWebhook } from '../../../db/sql/webhooks.ts';
import { createScreenWatch } from '../../../workers/rounds/watch-screens.ts';
import { each } from '../../support/each.ts';
import { menuService } from '../../support/menu-service.ts';
import { addUser } from '../../support/panel.ts';
import { dishOf, restaurantOf, sectionOf } from '../../support/restaurant.ts';

const MINUTE = 60_000;
const menu = [sectionOf('Primi', [dishOf('Gnocchi')])];
const HOURS = [{ weekdays: null, time_start: '12:00', time_end: '15:00' }];

const service = await menuService([restaurantOf('osteria', menu)]);
let tenantId: number;
let now: number;
let sent: { kind: string; mail: LinkMail }[];
let round: (goesOn: () => boolean) => Promise<void>;

/** The moment of a Monday in Rome, where summer is two hours ahead of UTC. */
const at = (time: string) => Date.parse(`2026-06-01T${time}:00+02:00`);

before(async () => {
  ({ tenantId } = service);
  await addUser(service.db, tenantId);
  const webhook = { tenantId, url: 'https://till.example.com/', isActive: true };
  await insertWebhook(service.db, { ...webhook, events: ['screen.away'], secret: makeSecret() });
});
beforeEach(async () => {
  sent = [];
  await service.sql('delete from screens');
  await service.sql('delete from webhook_deliveries');
  await setHours(HOURS);
  watchFrom(at('08:00'));
});

function setHours(hours: unknown) {
  const text = JSON.stringify(hours);
  return service.sql`update settings set opening_hours = ${text} where tenant_id = ${tenantId}`;
}

/** A worker that starts at this moment. */
function watchFrom(moment: number) {
  now = moment;
  const mail: Mail = {
    send: (kind, one) => sent.push({ kind, mail: one }),
    ...stopOnce(async () => {}),
  };
  round = createScreenWatch({
    ...{ db: service.db, mail, now: () => now },
    originOf: ({ slug }) => `https://${slug}.example.com`,
  });
}

/** Lets the time pass until this moment, with a round each minute. */
async function pass(until: string) {
  while (now < at(until)) {
    await round(() => true);
    now += MINUTE;
  }
  await round(() => true);
}

/** Adds a screen, which is away since a time if that is given; its id. */
async function addScreen(name: string, away?: string): Promise<number> {
  const [row] = await service.sql(
    `insert into screens (tenant_id, name, hash, last_seen_at)
     values ($1, $2, sha256(convert_to($2, 'UTF8')), '2026-01-01') returning id`,
    [tenantId, name],
  );
  if (away) await contact(row.id, away, false);
  return row.id;
}

function contact(id: number, time: string, isHere: boolean) {
  const noted = { tenantId, id, at: new Date(at(time)), isHere, version: 1, size: null };
  return recordScreenContacts(service.db, [noted]);
}

const deliveries = () =>
  service.sql`
    select event, payload from webhook_deliveries where tenant_id = ${tenantId} order by id`;
/** The screens that every mail until this moment tells of. */
async function toldBy(until: string) {
  await pass(until);
  return sent.map(({ mail }) => mail.about);
}

test('an outage in opening hours is told after ten minutes, once, by mail and webhook', async () => {
  const id = await addScreen('Sala', '12:30');
  assert.deepEqual(await toldBy('12:39'), []);
  assert.deepEqual(await toldBy('14:59'), ['Sala']);
  const [message] = sent;
  assert.ok(message);
  assert.equal(message.mail.link, 'https://osteria.example.com/admin/screens');
  const { subject, text } = compose('screenAway', message.mail);
  assert.match(subject, /Uno schermo di .* non risponde/);
  assert.match(text, /non risponde da dieci minuti: Sala\./);
  const rows = await deliveries();
  assert.deepEqual(each(rows, 'event'), ['screen.away']);
  const { type, timestamp, data } = JSON.parse(String(rows[0]?.payload));
  assert.equal(type, 'screen.away');
  assert.equal(Date.parse(timestamp), at('12:41'));
  const last_seen_at = new Date(at('12:30')).toISOString();
  assert.deepEqual(data, { restaurant: 'osteria', screen: { id, name: 'Sala', last_seen_at } });
});

test('the next outage is told again, and screens that go together by one mail', async () => {
  const ids = [await addScreen('Bar'), await addScreen('Sala')];
  for (const id of ids) await contact(id, '12:00', false);
  assert.deepEqual(await toldBy('12:30'), ['Bar, Sala']);
  assert.equal((await deliveries()).length, 2);
  for (const id of ids) await contact(id, '12:31', true);
  await contact(ids[0] as number, '12:45', false);
  await contact(ids[1] as number, '12:58', true);
  assert.deepEqual(await toldBy('13:00'), ['Bar, Sala', 'Bar']);
});

test('a screen that is switched off while the house is closed tells nothing', async () => {
  const id = await addScreen('Sala', '08:00');
  // On again a little after the house has opened.
  await pass('12:09');
  await contact(id, '12:09', true);
  await pass('12:15');
  await contact(id, '14:55', false);
  assert.deepEqual(await toldBy('22:00'), []);
});

test('a screen that stays dark when the house opens is told ten minutes later', async () => {
  await addScreen('Sala', '08:00');
  assert.deepEqual(await toldBy('12:09'), []);
  assert.deepEqual(await toldBy('12:10'), ['Sala']);
});

test('a house without hours counts as open; a closure and a suspension tell nothing', async () => {
  await addScreen('Sala', '08:30');
  await service.sql('update tenants set suspended_at = now()');
  await setHours([]);
  assert.deepEqual(await toldBy('09:00'), []);
  await service.sql`
    update settings set closures = '[{"date_start": "2026-06-01", "date_end": null}]'`;
  await service.sql('update tenants set suspended_at = null');
  assert.deepEqual(await toldBy('09:30'), []);
  await service.sql("update settings set closures = '[]'");
  assert.deepEqual(await toldBy('09:31'), ['Sala']);
});

test('a screen whose box is cleared tells nothing', async () => {
  await addScreen('Sala', '12:10');
  await service.sql('update screens set tells_away = false');
  assert.deepEqual(await toldBy('14:00'), []);
  assert.deepEqual(await deliveries(), []);
});

test('a stream that never said its end is away after eleven minutes', async () => {
  const id = await addScreen('Sala');
  await contact(id, '12:10', true);
  assert.deepEqual(await toldBy('12:21'), []);
  assert.deepEqual(await toldBy('12:22'), ['Sala']);
});

test('a watch that starts, or that slept, counts ten minutes anew', async () => {
  await addScreen('Sala', '10:00');
  watchFrom(at('12:30'));
  assert.deepEqual(await toldBy('12:39'), []);
  now = at('12:45');
  assert.deepEqual(await toldBy('12:54'), []);
  assert.deepEqual(await toldBy('12:55'), ['Sala']);
});

test('two workers tell once', async () => {
  await addScreen('Sala', '12:00');
  watchFrom(at('12:00'));
  const first = round;
  watchFrom(at('12:00'));
  const second = round;
  round = async (goesOn) => {
    await Promise.all([first(goesOn), second(goesOn)]);
  };
  assert.deepEqual(await toldBy('12:30'), ['Sala']);
  assert.equal((await deliveries()).length, 1);
  assert.ok(constants.screenTellAfter === 10 * MINUTE);
});
