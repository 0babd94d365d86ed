import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import { type Constants, constants } from '../../../db/runtime/constants.ts';
import { MAX_NOTICE_BYTES } from '../../../db/schema/notices.ts';
import { lockTenant } from '../../../db/sql/tenants.ts';
import { adminService, createAdminClient, issueToken } from '../../support/admin.ts';
import { each } from '../../support/each.ts';
import { startTestGateway } from '../../support/gateway.ts';
import type { Response } from '../../support/http.ts';
import { plant, restaurantOf, sectionOf } from '../../support/restaurant.ts';
import { until } from '../../support/until.ts';
import { startTestWorker } from '../../support/worker.ts';

/** A worker that soon finds writes that failed, and those whose announcement was lost. */
const soon = { turnPoll: 500 };
const service = await adminService({ constants: soon });
const made = await service.admin.call('POST', '/categories', { name: { it: 'Coda' } });
const sectionId: number = made.json.data.id;

const dish = (name: string) => ({ category_id: sectionId, name: { it: name } });

/** Sends a write for whose end it does not wait. */
const LATER = { Prefer: 'respond-async' };
const post = (body: object, headers?: Record<string, string>) =>
  service.admin.call('POST', '/items', body, headers);

/** Another restaurant with a section; its admin client. */
async function plantOther(slug: string) {
  const id = await plant(service.db, restaurantOf(slug, [sectionOf('Primi')]));
  return createAdminClient(service.gateway.client(slug), await issueToken(service.db, id));
}

/** Runs `work` while no worker runs; `changed` replaces constants of the next one. */
async function withoutWorker<T>(
  work: () => Promise<T>,
  changed: Partial<Constants> = {},
): Promise<T> {
  await service.worker.stop();
  try {
    return await work();
  } finally {
    service.worker = await startTestWorker(service.databaseUrl, {}, { ...soon, ...changed });
  }
}

/** Asks for a job until it is finished. */
async function finished(location: string, admin = service.admin) {
  const path = location.replace('/api/v1/admin', '');
  let reply = await admin.get(path);
  await until('the job stays unfinished', async () => {
    if (reply.headers['x-job-state'] === 'finished') return true;
    assert.equal(reply.status, 202);
    reply = await admin.get(path);
    return false;
  });
  return reply;
}

const { sql } = service;

describe('reading your own write', () => {
  test('every 201 is readable at once, here, and elsewhere within a moment', async () => {
    const other = await startTestGateway(service.databaseUrl);
    const elsewhere = other.client('osteria');
    await elsewhere.get('/menu');
    for (let count = 0; count < 20; count += 1) {
      const { id } = (await post(dish(`Lesto ${count}`))).expect(201).json.data;
      assert.equal((await service.client.get(`/items/${id}`)).status, 200);
      assert.ok((await service.client.get('/menu')).text.includes(`Lesto ${count}`));
      const isElsewhere = async () => (await elsewhere.get(`/items/${id}`)).status === 200;
      await until('the other gateway does not follow', isElsewhere);
    }
    await other.stop();
  });

  test('a result that is too long for a notice arrives all the same', async () => {
    const text = 'è'.repeat(1_900);
    const description = { it: text, en: text, fr: text, de: text, es: text };
    const reply = (await post({ ...dish('Lungo'), description })).expect(201);
    assert.ok(reply.text.length > MAX_NOTICE_BYTES);
    assert.equal(reply.json.data.description, text);
  });

  test('the compressed menu is there at once, with the same content', async () => {
    await post(dish('Compresso'));
    const compressed = { 'Accept-Encoding': 'br' };
    const { headers, body } = await service.client.get('/menu', compressed);
    assert.deepEqual([headers.vary, headers['content-encoding']], ['Accept-Encoding', 'br']);
    assert.ok(String(brotliDecompressSync(body)).includes('Compresso'));
    const { etag = '' } = (await service.client.get('/menu')).headers;
    const again = await service.client.get('/menu', { ...compressed, 'If-None-Match': etag });
    assert.equal(again.status, 304, 'who has the plain one has it');
  });
});

describe('order', () => {
  test('writes of one restaurant are done in the order in which they were sent', async () => {
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, count) => post(dish(`In fila ${count}`))),
    );
    // On a busy machine some are told before they are done, or that the queue takes too long.
    assert.ok(replies.every(({ status }) => [201, 202, 503].includes(status)));
    assert.ok(replies.some(({ status }) => status === 201));
    await until('they are not all done', async () => {
      const left = `select from writes where finished_at is null and input->'name'->>'it' like 'In fila %'`;
      return (await sql(left)).length === 0;
    });
    const rows = await sql`select w.id, w.record_id from writes w
       where w.input->'name'->>'it' like 'In fila %' order by w.created_at, w.id`;
    const ids: number[] = each(rows, 'record_id');
    const sorted = ids.toSorted((left, right) => left - right);
    assert.deepEqual(ids, sorted);
  });

  test('those that wait together share versions', async () => {
    const version = async () =>
      (await sql('select version from tenants where id = $1', [service.tenantId]))[0].version;
    const first = await version();
    const change = (footer_text: string, headers = {}) =>
      service.admin.call('PUT', '/theme', { footer_text }, headers);
    await withoutWorker(() =>
      Promise.all(Array.from({ length: 40 }, (_, count) => change(`${count}`, LATER))),
    );
    (await change('fine')).expect(200);
    assert.ok((await version()) - first < 20);
    assert.equal((await service.client.get('/theme')).json.data.footer_text, 'fine');
  });

  for (const [kind, slowTurn] of [
    ['short', 60_000],
    ['long', 0],
  ] as const) {
    test(`slow writes of several restaurants are all done where each is ${kind}`, async () => {
      const slugs = Array.from({ length: 5 }, (_, at) => `${kind}-${at}`);
      const admins = await Promise.all(slugs.map(plantOther));
      const data = { name: { it: 'Dolci' } };
      const operations = [{ resource: 'categories', action: 'create', data }];
      const sendAll = () =>
        Promise.all(admins.map(({ call }) => call('POST', '/bulk', { operations }, LATER)));
      const asked = await withoutWorker(sendAll, { slowTurn });
      for (const [at, admin] of admins.entries()) {
        const done = await finished(asked[at]?.headers.location ?? '', admin);
        assert.equal(done.json.data.counts.created, 1, done.text);
      }
    });
  }

  test('restaurants do not wait for each other', async () => {
    const other = await plantOther('altrove');
    let held: Promise<Response> | undefined;
    await service.db.transaction(async (tx) => {
      await lockTenant(tx, service.tenantId, 'wait');
      held = service.admin.call('PUT', '/theme', { footer_text: 'dopo' });
      (await other.call('PUT', '/theme', { footer_text: 'prima' })).expect(200);
    });
    assert.equal((await held)?.status, 200);
  });
});

describe('202', () => {
  test('Prefer: respond-async gives it at once, and the job ends with the same answer', async () => {
    const sent = await post(dish('Con calma'), { Prefer: 'respond-async, wait=10' });
    const accepted = sent.expect(202);
    assert.equal(accepted.headers['preference-applied'], 'respond-async');
    const { location = '' } = accepted.headers;
    assert.equal(location, `/api/v1/admin/jobs/${accepted.json.data.id}`);
    const done = (await finished(location)).expect(201);
    assert.equal(done.json.data.name, 'Con calma');
    assert.equal((await service.client.get(`/items/${done.json.data.id}`)).status, 200);
  });

  test('the job names ignored fields as the direct answer does', async () => {
    const body = { ...dish('Con note'), colour: 'red' };
    assert.deepEqual((await post(body)).json.meta.ignored, ['colour']);
    const accepted = await post(body, LATER);
    const done = await finished(accepted.headers.location ?? '');
    assert.deepEqual(done.json.meta.ignored, ['colour']);
  });

  test('a refusal of the worker is the job’s answer too', async () => {
    const accepted = await post({ ...dish('x'), type_id: 999_999 }, LATER);
    assert.equal((await finished(accepted.headers.location ?? '')).status, 422);
  });

  test('without a worker it comes after a bounded wait, and nothing is lost', async () => {
    const waits = { writeTimeout: 500, writeSecuredAfter: 100 };
    const hasty = await startTestGateway(service.databaseUrl, {}, waits);
    const admin = createAdminClient(hasty.client('osteria'), service.token);
    const accepted = await withoutWorker(() => admin.call('POST', '/items', dish('Paziente')));
    await hasty.stop();
    assert.equal(accepted.status, 202);
    assert.equal(accepted.json.data.state, 'waiting');
    assert.equal((await finished(accepted.headers.location ?? '')).json.data.name, 'Paziente');
  });

  test('a job is found by its own restaurant only', async () => {
    const { admin } = service;
    const accepted = await admin.call('PUT', '/theme', {}, LATER);
    const stranger = await plantOther('curioso');
    const path = `/jobs/${accepted.json.data.id}`;
    assert.equal((await stranger.get(path)).status, 404);
    assert.equal((await admin.get('/jobs/nothing')).status, 404);
    await finished(accepted.headers.location ?? '');
  });
});

describe('when something is wrong', () => {
  test('a full queue is 503 with Retry-After, and nothing of the write is kept', async () => {
    const keyed = { 'Idempotency-Key': 'prima della coda' };
    const first = await post(dish('Già fatto'), keyed);
    await withoutWorker(async () => {
      await sql(
        `insert into writes (tenant_id, id, token_id, resource, action, input, request_hash,
           created_at)
         select $1, gen_random_uuid(), 0, 'theme', 'change', '{}', '', now() + interval '1 hour'
         from generate_series(1, $2)`,
        [service.tenantId, constants.maxWaitingWrites],
      );
      const full = (await post(dish('Di troppo'))).expect(503);
      assert.ok(Number(full.headers['retry-after']) > 0);
      const again = await post(dish('Già fatto'), keyed);
      assert.deepEqual([again.status, again.json.data?.id], [201, first.json.data.id]);
      const [{ count }] = await sql`
        select count(*)::int as count from writes where input->'name'->>'it' = 'Di troppo'`;
      assert.equal(count, 0);
      await sql('delete from writes where token_id = 0');
    });
  });

  test('an unexpected error becomes a 500 that is kept, and the queue goes on', async () => {
    await sql`create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'the disk is on fire'; end $$`;
    await sql`create trigger refuse before insert on dishes for each row
      when (new.name->>'it' = 'Maledetto') execute function refuse()`;
    const names = ['Prima del male', 'Maledetto', 'Dopo il male'];
    const sent = await Promise.all(names.map((name) => post(dish(name), LATER)));
    const results = [];
    for (const { headers } of sent) results.push(await finished(headers.location ?? ''));
    assert.deepEqual(each(results, 'status'), [201, 500, 201]);
    const [kept] = await sql(`select error from writes where outcome->>'kind' = 'failed'`);
    assert.match(kept.error, /the disk is on fire/);
    assert.equal((await post(dish('Sereno'))).status, 201);
  });

  test('a write that fails is tried again until that must be its own fault', async () => {
    const after = async (name: string, tries: number, failure: object) => {
      const location = await withoutWorker(async () => {
        const { location = '' } = (await post(dish(name), LATER)).headers;
        // As the queue writes it down when a try has failed, workers were killed, or others in the way.
        await sql(
          `update pgboss.job set state = 'retry', retry_count = $2, started_on = now(), output = $3
           where id = $1`,
          [location.split('/').at(-1), tries - 1, failure],
        );
        return location;
      });
      return (await finished(location)).status;
    };
    const { maxWriteErrors: errors, maxWriteTimeouts: timeouts } = constants;
    const killed = { value: { message: 'job heartbeat timeout' } };
    assert.equal(await after('Sfortunato', timeouts - 1, killed), 201);
    assert.equal(await after('Micidiale', timeouts, killed), 500);
    const deadlock = { message: 'deadlock detected', code: '40P01' };
    assert.equal(await after('Conteso', timeouts - 1, deadlock), 201);
    const surprise = { message: 'the disk is on fire' };
    assert.equal(await after('Scampato', errors - 1, surprise), 201);
    assert.equal(await after('Spacciato', errors, surprise), 500);
    const [{ error }] = await sql`
      select error from writes where input->'name'->>'it' = 'Micidiale'`;
    assert.match(error, /heartbeat timeout/);
  });

  test('a lost announcement delays an answer and does not lose it', async () => {
    const listeners = `from pg_stat_activity
      where application_name = 'lavagna listener' and datname = current_database()`;
    const ended = await sql(`select pg_terminate_backend(pid) ${listeners}`);
    assert.equal((await post(dish('Sordo'))).status, 201);
    const areBack = async () => (await sql(`select ${listeners}`)).length === ended.length;
    await until('they do not listen again', areBack);
  });

  test('a write whose restaurant is locked is done when the lock is free', async () => {
    let location = '';
    await service.db.transaction(async (tx) => {
      await lockTenant(tx, service.tenantId, 'wait');
      location = (await post(dish('Chiuso'), LATER)).headers.location ?? '';
      await until('no worker waits for it', async () => {
        const waits = `select from pg_stat_activity where datname = current_database()
          and application_name = 'lavagna queue' and wait_event_type = 'Lock'`;
        return (await sql(waits)).length > 0;
      });
      const [{ unfinished }] = await sql`
        select count(*)::int as unfinished from writes where finished_at is null`;
      assert.equal(unfinished, 1);
    });
    assert.equal((await finished(location)).status, 201);
  });

  test('a client that goes away changes nothing', async () => {
    const body = JSON.stringify(dish('Interrotto'));
    const socket = connect(service.gateway.port, '127.0.0.1');
    socket.end(
      `POST /api/v1/admin/items HTTP/1.1\r\nHost: osteria.localhost\r\n` +
        `Authorization: Bearer ${service.token}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    socket.on('error', () => undefined);
    await until('the write is not done', async () => {
      const [row] = await sql`select id from writes
         where input->'name'->>'it' = 'Interrotto' and outcome->>'kind' = 'created'`;
      return row !== undefined;
    });
    socket.destroy();
  });
});
