// The order in which photos of several restaurants are made, and what waits for them.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import sharp from 'sharp';
import { commandLine, processTree } from '../../bench/processes/usage.ts';
import { certain } from '../../db/runtime/certain.ts';
import {
  type AdminClient,
  createAdminClient,
  issueToken,
  smallRestaurant,
} from '../support/admin.ts';
import { each } from '../support/each.ts';
import { menuService } from '../support/menu-service.ts';
import { picture } from '../support/pictures.ts';
import { restaurantOf } from '../support/restaurant.ts';
import { until } from '../support/until.ts';
import { testWorker } from '../support/worker.ts';

const service = await menuService([smallRestaurant, restaurantOf('other', [])], { alone: true });
const otherId = service.tenantId + 1;
const clientOf = async (slug: string, id: number) =>
  createAdminClient(service.gateway.client(slug), await issueToken(service.db, id));
const ownAdmin = await clientOf(smallRestaurant.slug, service.tenantId);
const other = await clientOf('other', otherId);

const sql = <Row = object>(text: string, values: unknown[] = []) =>
  service.sql(text, values) as Promise<Row[]>;

async function keep(admin: AdminClient, body: Buffer): Promise<void> {
  const headers = { 'Content-Type': 'image/png', Prefer: 'respond-async' };
  (await admin.call('POST', '/photos', body, headers)).expect(202);
}

const photoProcesses = () =>
  processTree(process.pid).filter((pid) =>
    commandLine(pid).some((word) => word.includes('photo-process')),
  );
/** Those of a worker that other files use. */
const ofOthers = photoProcesses();

const untilPhotoIsActive = () =>
  until('the photo is not being made', async () => {
    const active = "select from pgboss.job where name = 'photo-uploads' and state = 'active'";
    return (await sql(active)).length > 0;
  });

const isAllMade = async () => (await sql('select from photo_uploads')).length === 0;

/** A photo in one colour. */
const drawn = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#1e0909' } })
    .png()
    .toBuffer();

describe('uploads', () => {
  test('of restaurants take turns, when one has sent many before', async () => {
    for (let seed = 1; seed <= 5; seed += 1) await keep(ownAdmin, await picture({ seed }));
    for (let seed = 6; seed <= 7; seed += 1) await keep(other, await picture({ seed }));
    await testWorker(service.databaseUrl);
    await until('uploads wait', isAllMade);
    const made = await sql<{ tenant_id: number }>(
      "select tenant_id from writes where resource = 'photos' order by created_at, id",
    );
    const [mine, theirs] = [service.tenantId, otherId];
    assert.deepEqual(each(made, 'tenant_id'), [mine, theirs, mine, theirs, mine, mine, mine]);
  });

  test('leave no transaction open while a photo is made', async (t) => {
    // The process that makes photos stands still, so what is open beside it stays open.
    const own = photoProcesses().find((pid) => !ofOthers.includes(pid));
    const maker = certain(own, 'of photos');
    process.kill(maker, 'SIGSTOP');
    t.after(() => process.kill(maker, 'SIGCONT'));
    await keep(ownAdmin, await picture({ seed: 20 }));
    await untilPhotoIsActive();
    const open =
      "select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'";
    let looks = 0;
    await until('a transaction stays open', async () => {
      looks = (await sql(open)).length > 0 ? 0 : looks + 1;
      return looks === 20;
    });
    process.kill(maker, 'SIGCONT');
    await until('the photo is not made', isAllMade);
  });

  test('of a side beyond 8,192 pixels are refused with words before they are decoded', async () => {
    const body = await drawn(1, 8_193);
    const reply = await ownAdmin.call('POST', '/photos', body, { 'Content-Type': 'image/png' });
    assert.match(reply.expect(422).json.errors.file[0], /8\.192 pixel/);
  });
});

test('a picture for shared links is drawn while a photo is made', async () => {
  const draw = async (slug: string) => {
    const client = service.gateway.client(slug);
    const { text } = await client.send('/');
    const [, address = ''] = /<meta property="og:image" content="([^"]+)">/.exec(text) ?? [];
    (await client.send(new URL(address).pathname)).expect(200);
  };
  // The process that draws is there then.
  await draw(smallRestaurant.slug);
  // As large as a photo may be: a worker makes it for seconds.
  await keep(ownAdmin, await drawn(8_000, 5_000));
  await untilPhotoIsActive();
  await draw('other');
  assert.equal(await isAllMade(), false, 'it waited for the photo');
  await until('the photo is not made', isAllMade);
});
