import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { each } from '../support/each.ts';
import { startGatewayProcess, startProvokedGateway } from '../support/gateway-process.ts';
import { isNewerLibrary } from '../support/http-library.ts';
import { openSocket, openSockets, readAnswers, untilRead } from '../support/raw-socket.ts';

const gateway = await startProvokedGateway();
after(() => gateway.stop());
const client = gateway.client('trattoria');
// A gateway's memory once it has answered requests.
for (let asked = 0; asked < 50; asked += 1) await client.get('/menu');

const EVENTS = '/api/v1/analytics/events';
const HOST = 'Host: trattoria.localhost\r\n';
const ask = (path: string, method = 'GET', headers = '') =>
  `${method} ${path} HTTP/1.1\r\n${HOST}${headers}\r\n`;

/** Everybody else is served as if nothing were going on. */
async function assertOthersServed(): Promise<void> {
  const { json } = (await client.get('/menu')).expect(200);
  assert.ok(json.data.sections.length > 0);
}

const openMany = (count: number, reads = true) => openSockets(gateway.port, count, reads);

/** Sends one byte a second until the server closes; resolves with what it said. */
async function drip(beginning: string, byte: string): Promise<string> {
  const slow = await openSocket(gateway.port);
  slow.socket.write(beginning);
  const timer = setInterval(() => slow.socket.write(byte), 1_000);
  const said = await slow.closed;
  clearInterval(timer);
  return said;
}

const CHUNKED = 'Transfer-Encoding: chunked\r\n';
type Slow = [what: string, beginning: string, byte: string];
const SLOW: Slow[] = [
  ['a head', `GET /api/v1/theme HTTP/1.1\r\n${HOST}X-Slow: `, 'a'],
  ...[EVENTS, '/admin/sign-in', '/nothing', '/api/v1/admin/items'].map((path): Slow => {
    const headers = `${HOST}Content-Type: application/json\r\nContent-Length: 99\r\n`;
    return [`a body for ${path}`, `POST ${path} HTTP/1.1\r\n${headers}\r\n`, '1'];
  }),
  ['a body in chunks', `POST ${EVENTS} HTTP/1.1\r\n${HOST}${CHUNKED}\r\n`, '1\r\n1\r\n'],
];

const headed = (line: string) => `GET /api/v1/theme HTTP/1.1\r\n${HOST}${line}\r\n\r\n`;
/** The newer library answers some of these at once, with this status. */
const UNFINISHED: [what: string, bytes: string, newer?: 400 | 200][] = [
  ['a request without a host', 'GET /api/v1/theme HTTP/1.1\r\n\r\n', 400],
  ['an empty line before a request', `\r\n\r\n${ask('/api/v1/theme')}`],
  ['NUL in a header', headed('X: a\0b'), 400],
  ['a folded header', headed('X: a\r\n folded'), 400],
  ['a header without a colon', headed('no colon'), 400],
  ['a blank before the colon', headed('X : a'), 400],
  ['a line feed in a header', headed('X: a\nHost: pizzeria.localhost'), 400],
  ['a prototype as a header', headed('__proto__: 1'), 200],
];

// Most of the time is spent waiting for the gateway to lose its patience.
describe('among others', { concurrency: true }, () => {
  describe('slow clients', { concurrency: true }, () => {
    for (const [what, beginning, byte] of SLOW) {
      test(`${what} that comes a byte a second is not waited for`, async () => {
        const dripping = drip(beginning, byte);
        await untilRead(gateway.port);
        await assertOthersServed();
        const answers = readAnswers(await dripping);
        for (const { status } of answers) assert.ok([401, 404, 415].includes(status), `${status}`);
      });
    }

    for (const [what, bytes, newer] of UNFINISHED) {
      test(`${what} is not waited for`, async () => {
        const raw = await openSocket(gateway.port);
        raw.socket.write(bytes);
        const received = await raw.closed;
        if (isNewerLibrary && newer) assert.equal(readAnswers(received)[0]?.status, newer);
        else assert.equal(received, '');
      });
    }

    test('hundreds that say nothing cost next to nothing and are closed', async () => {
      const resident = gateway.residentMb();
      const idle = await openMany(400);
      await assertOthersServed();
      assert.ok(gateway.residentMb() - resident < 150, `${gateway.residentMb()} MB`);
      await Promise.all(idle.map(({ closed }) => closed));
    });
  });

  describe('clients that do not read', () => {
    // The menu is more than 100 KB: kept for each of them, these answers would be 500 MB.
    const CLIENTS = 20;
    const MENUS = 250;

    test('and ask for menus all at once are not given memory for them', async () => {
      const resident = gateway.residentMb();
      const deaf = await openMany(CLIENTS, false);
      for (const { socket } of deaf) socket.write(ask('/api/v1/menu').repeat(MENUS));
      for (let asked = 0; asked < 20; asked += 1) {
        await assertOthersServed();
        assert.ok(gateway.residentMb() - resident < 150, `${gateway.residentMb()} MB`);
      }
      for (const { socket, closed } of deaf) {
        // The bytes in the system's buffers arrive, then the end.
        socket.resume();
        await closed;
        assert.ok(socket.bytesRead < MENUS * 100_000);
      }
    });

    // Kept for each of them, the answers would be hundreds of MB, too, if they are compressed.
    for (const [what, header, times, bytes] of [
      ['one menu', '', MENUS, 100_000],
      ['one compressed menu', 'Accept-Encoding: br\r\n', 600, 30_000],
    ] as const) {
      test(`and ask for ${what} after the other are closed`, async () => {
        const resident = gateway.residentMb();
        const deaf = await openMany(CLIENTS, false);
        for (let asked = 0; asked < times; asked += 1) {
          for (const { socket } of deaf) {
            if (!socket.destroyed) socket.write(ask('/api/v1/menu', 'GET', header));
          }
          // The gateway reads each request alone, as from a client that waits for its answer.
          await untilRead(gateway.port);
        }
        assert.ok(gateway.residentMb() - resident < 150, `${gateway.residentMb()} MB`);
        for (const { socket, closed } of deaf) {
          socket.resume();
          await closed;
          assert.ok(socket.bytesRead < times * bytes);
        }
        await assertOthersServed();
      });
    }

    test('at once, but later, get all of it', async () => {
      const late = await openSocket(gateway.port, false);
      late.socket.write(ask('/api/v1/menu'));
      await untilRead(gateway.port);
      const { text } = await client.get('/menu');
      let received = '';
      late.socket.on('data', (chunk) => {
        received += chunk.toString('latin1');
      });
      await late.until(() => readAnswers(received).length === 1);
      assert.equal(readAnswers(received)[0]?.body, text);
      late.socket.destroy();
    });
  });

  test('an answer that is taken in parts is not mixed with those that overtake it', async () => {
    const pageOf = (size: number, visit: string) => `/items?per_page=${size}&visit=${visit}`;
    const sizes = Array.from({ length: 100 }, (_, index) => index + 1);
    const pages = await Promise.all(
      sizes.map(async (size) => (await client.get(pageOf(size, 'known'))).text),
    );
    // The nth asks n times: for one of them the system's buffers are full in the middle of its last
    // answer. Those that ask once more are closed.
    const deaf = await openMany(80, false);
    for (let asked = 0; asked < deaf.length; asked += 1) {
      for (const [index, { socket }] of deaf.entries()) {
        const path = `/api/v1${pageOf(100 - (asked % 10), `deaf-${index}-${asked}`)}`;
        if (asked <= index && !socket.destroyed) socket.write(ask(path));
      }
      await untilRead(gateway.port);
    }
    await Promise.all(sizes.map((size) => client.get(pageOf(size, 'overtaking'))));
    const received = await Promise.all(
      deaf.map(async ({ socket, closed }, index) => {
        let text = '';
        const whole = new Promise<void>((resolve) => {
          socket.on('data', (chunk) => {
            text += chunk.toString('latin1');
            if (text.endsWith('}}') && readAnswers(text).length === index + 1) resolve();
          });
        });
        await Promise.race([whole, closed]);
        socket.destroy();
        return readAnswers(text);
      }),
    );
    assert.ok(received.some((answers, index) => answers.length === index + 1));
    assert.ok(received.some((answers, index) => answers.length < index + 1));
    for (const answers of received) {
      for (const [asked, { body }] of answers.entries()) {
        assert.ok(body === pages[99 - (asked % 10)], `answer ${asked}`);
      }
    }
  });

  describe('clients that go', () => {
    test('after half-closing get the answer to what they had asked', async () => {
      for (const path of ['/api/v1/menu', '/', '/nothing']) {
        // The library closes a half-closed connection at once: only what is in memory is answered.
        const first = await openSocket(gateway.port);
        first.socket.write(ask(path));
        await first.until((text) => readAnswers(text).length > 0);
        first.socket.destroy();
        const half = await openSocket(gateway.port);
        half.socket.end(ask(path));
        const [answer] = readAnswers(await half.closed);
        assert.equal(answer?.status, path === '/nothing' ? 404 : 200, path);
      }
    });

    test('in the middle of a body get nothing, and are not waited for when the gateway stops', async () => {
      // If it waited for them, it would not end within the test's bound.
      const patient = { stopTimeout: 600_000, killAfter: 700_000 };
      const stopped = await startGatewayProcess(gateway.databaseUrl, {}, patient);
      const heard = await Promise.all(
        Array.from({ length: 20 }, async () => {
          const gone = await openSocket(stopped.port);
          gone.socket.end(`POST ${EVENTS} HTTP/1.1\r\n${HOST}Content-Length: 99\r\n\r\n{"ty`);
          return gone.closed;
        }),
      );
      await stopped.stop();
      assert.deepEqual(new Set(heard), new Set(['']));
    });

    test('before their menu has left are forgotten', async () => {
      const rude = await openMany(50, false);
      for (const { socket } of rude) socket.write(ask('/api/v1/menu').repeat(20));
      await untilRead(gateway.port);
      for (const { socket } of rude) socket.resetAndDestroy();
      await assertOthersServed();
    });
  });

  describe('clients that ask before they are answered', () => {
    test('get every answer, in order', async () => {
      const search = '/items?search=pasta';
      const paths = ['/theme', '/items/1', '/nothing', '/restaurant', search, '/menu'];
      const expected = await Promise.all(paths.map((path) => client.get(path)));
      const rounds = 8;
      const eager = await openSocket(gateway.port);
      const round = paths.map((path) => ask(`/api/v1${path}`)).join('');
      eager.socket.write(round.repeat(rounds));
      const count = paths.length * rounds;
      const received = await eager.until((text) => readAnswers(text).length === count);
      for (const [index, { status, body }] of readAnswers(received).entries()) {
        const { status: wanted, text } = expected[index % paths.length] ?? {};
        assert.deepEqual([status, body], [wanted, text]);
      }
      eager.socket.destroy();
    });

    test('for heads too', async () => {
      const eager = await openSocket(gateway.port);
      const round = ask('/api/v1/menu', 'HEAD') + ask('/api/v1/theme') + ask('/nothing', 'HEAD');
      eager.socket.write(round.repeat(2));
      const { text } = await client.get('/theme');
      const headless = [0, 2, 3, 5];
      const all = await eager.until((received) => readAnswers(received, headless).length === 6);
      const answers = readAnswers(all, headless);
      assert.deepEqual(each(answers, 'status'), [200, 200, 404, 200, 200, 404]);
      assert.equal(answers[4]?.body, text);
      eager.socket.destroy();
    });
  });
});
