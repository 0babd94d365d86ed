// The form of a new token that is sent again, late or altered.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { trattoria } from '../../../db/operator/demo/restaurant.ts';
import { menuService } from '../../support/menu-service.ts';
import { hiddenField } from '../../support/page-forms.ts';
import { addUser, signedIn, type Visitor } from '../../support/panel.ts';
import { openSocket, readAnswers, untilRead } from '../../support/raw-socket.ts';

const PATH = '/admin/api-tokens';

let visitor: Visitor;
const service = await menuService([trattoria]);
await addUser(service.db, service.tenantId);
beforeEach(async () => {
  await sql('delete from tokens');
  visitor = await signedIn(service.client);
  await visitor.get(PATH);
});

const { sql } = service;
const countTokens = async () => (await sql('select from tokens')).length;
const send = (fields: Record<string, string>) =>
  visitor.post(PATH, { name: 'Cassa', scopes: 'menu:read', ...fields });

test('one whose name for itself is none of ours is refused', async () => {
  for (const form_id of ['', '1', "'; select"]) assert.equal((await send({ form_id })).status, 403);
  assert.equal(await countTokens(), 0);
});

test('of a session that ends while they come none does anything', async () => {
  await send({ name: 'Vecchio' });
  await visitor.get(PATH);
  const [{ id }] = await sql('select id from tokens');
  const fields = new URLSearchParams({ name: 'Cassa', scopes: 'menu:read' });
  for (const name of ['form_token', 'form_id']) {
    fields.set(name, hiddenField(visitor.page.text, name));
  }
  const body = String(fields);
  const coming = await Promise.all(
    [PATH, `${PATH}/${id}/revoke`].map(async (path) => {
      const socket = await openSocket(service.gateway.port);
      socket.socket.write(
        `POST ${path} HTTP/1.1\r\nHost: trattoria.localhost\r\nCookie: ${visitor.cookie}\r\n` +
          'Content-Type: application/x-www-form-urlencoded\r\n' +
          `Content-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
      );
      return socket;
    }),
  );
  await untilRead(service.gateway.port);
  await sql('delete from sessions');
  for (const { socket, until } of coming) {
    socket.write(body.slice(5));
    const [answer] = readAnswers(await until((text) => readAnswers(text).length > 0));
    socket.destroy();
    assert.equal(answer?.status, 303);
    assert.match(answer?.head ?? '', /location: \/admin\/sign-in\?because=expired/i);
  }
  assert.deepEqual(await sql('select id, revoked_at from tokens'), [{ id, revoked_at: null }]);
});
