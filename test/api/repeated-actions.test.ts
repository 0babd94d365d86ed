// Actions of owners: a request that comes again under its Idempotency-Key is done once, and gets the
// first answer with its secret. Of many requests at once no more are done than a bound allows.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { constants } from '../../db/runtime/constants.ts';
import { forgetDoneActions } from '../../db/sql/retention.ts';
import { saveScreenCode } from '../../db/sql/screens.ts';
import { adminService, createAdminClient, issueToken } from '../support/admin.ts';
import { each } from '../support/each.ts';

const service = await adminService();

const code = 'QWRTPX';
/** A body for each endpoint, and another one. */
const bodies: Record<string, (n: number) => object> = {
  webhooks: (n) => ({ url: `https://till.example.com/${n}`, events: ['menu.version'] }),
  hosts: (n) => ({ name: `menu-${n}.trattoria.example` }),
  users: (n) => ({ name: 'Ada', email: `ada-${n}@example.com`, role: 'editor' }),
  releases: (n) => ({ name: `Natale ${n}` }),
  screens: (n) => ({ name: `Sala ${n}`, code }),
};
const secrets = ['webhooks', 'users'];

const post = (path: string, body: object, key?: string) =>
  service.admin.call('POST', `/${path}`, body, key === undefined ? {} : { 'Idempotency-Key': key });
const idsOf = async (path: string): Promise<number[]> =>
  each((await service.admin.call('GET', `/${path}`)).json.data, 'id');

/** Another browser shows the letters. */
const showLetters = () =>
  saveScreenCode(service.db, service.tenantId, { hash: randomBytes(32), client: '1' }, code);

/** An answer, whenever its data were put together: a second may pass between two of them. */
function atAnyTime(text: string): string {
  return text.replace(/"generated_at":"[^"]+"/, '');
}

for (const [path, bodyOf] of Object.entries(bodies)) {
  describe(`POST /admin/${path}`, () => {
    test('does a request once that comes again with its key, and answers as before', async () => {
      await showLetters();
      const known = await idsOf(path);
      const all = await Promise.all([1, 2, 3].map(() => post(path, bodyOf(1), `again ${path}`)));
      const [first] = all;
      assert.deepEqual(each(all, 'status'), [201, 201, 201]);
      for (const one of all) {
        assert.equal(atAnyTime(one.text), atAnyTime(first?.text ?? ''));
        const { etag, location } = one.headers;
        assert.deepEqual([etag, location], [first?.headers.etag, first?.headers.location]);
      }
      assert.equal((await idsOf(path)).length, known.length + 1);
    });

    test('refuses a key that another request had', async () => {
      const { status, json } = await post(path, bodyOf(2), `again ${path}`);
      assert.deepEqual([status, json.codes.idempotency_key[0].rule], [422, 'keyReused']);
    });

    test('lets another token use the key', async () => {
      await showLetters();
      const token = await issueToken(service.db, service.tenantId);
      const other = createAdminClient(service.client, token);
      const headers = { 'Idempotency-Key': `again ${path}` };
      (await other.call('POST', `/${path}`, bodyOf(3), headers)).expect(201);
    });

    test('forgets a key after its hours', async () => {
      await showLetters();
      await service.sql("update done_actions set at = at - interval '25 hours'");
      assert.equal((await post(path, bodyOf(4), `again ${path}`)).status, 201);
      // The worker may have forgotten it already.
      await forgetDoneActions(service.db, 'done_actions');
      const old = "select from done_actions where at < now() - interval '24 hours'";
      assert.deepEqual(await service.sql(old), []);
    });
  });
}

test('no secret of a kept answer stands in the database', async () => {
  for (const path of secrets) {
    const { json } = await post(path, bodies[path]?.(5) as object, `secret ${path}`);
    const shown = json.data.secret ?? json.data.invitation_url.split('/').at(-1);
    const rows = await service.sql('select result from done_actions');
    const stored = rows.map(({ result }) => (result as Buffer).toString('latin1'));
    assert.ok(shown.length > 20 && stored.length > 0);
    for (const text of stored) assert.ok(!text.includes(shown), path);
  }
});

const most = { webhooks: constants.maxWebhooks, hosts: constants.maxHosts };
for (const [path, max] of Object.entries(most)) {
  test(`POST /admin/${path} makes no more than ${max} of many at once`, async () => {
    const left = max - (await idsOf(path)).length;
    const tries = Array.from({ length: 30 }, (_, n) =>
      post(path, bodies[path]?.(100 + n) as object),
    );
    assert.equal((await Promise.all(tries)).filter(({ status }) => status === 201).length, left);
    assert.equal((await idsOf(path)).length, max);
  });
}
