// Clients that ask for a great deal of what no limit guards.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { constants } from '../../db/runtime/constants.ts';
import { createBodies } from '../../gateway/http/request-body.ts';
import { startTrattoriaGateway } from '../support/gateway-process.ts';
import { openSocket, openSockets, type RawSocket } from '../support/raw-socket.ts';
import { until, untilStatus } from '../support/until.ts';

// On a busy machine no request is refused for the time that passes, but only for the number of those
// that wait.
const gateway = await startTrattoriaGateway();
after(() => gateway.stop());
const client = gateway.client('trattoria');
const HOST = 'trattoria.localhost';
const EVENTS = '/api/v1/analytics/events';
const openMany = (count: number) => openSockets(gateway.port, count);

function leave(crowd: readonly RawSocket[]): void {
  for (const { socket } of crowd) socket.destroy();
}

const head = (line: string, host: string, header: string) =>
  `${line} HTTP/1.1\r\nHost: ${host}\r\n${header}\r\n\r\n`;

test('the room that a body took is there again when its request is over', async () => {
  const receive = createBodies(constants);
  const bytes = new ArrayBuffer(constants.maxBodyBytes);
  const most = constants.maxBodiesBytesPerClient / constants.maxBodyBytes;
  for (let count = 0; count <= most; count += 1) {
    const body = receive(1, constants.maxBodyBytes, (take) => take(bytes, true));
    assert.equal((await body.whole).length, constants.maxBodyBytes);
    body.drop();
  }
});

describe('long bodies that do not end', () => {
  const SENDERS = 400;
  const BYTES = 1_000_000;

  async function sendAll(path: string, host: string): Promise<RawSocket[]> {
    const senders = await openMany(SENDERS);
    const length = `Content-Length: ${constants.maxBodyBytes}`;
    const bytes = head(`POST ${path}`, host, length) + ' '.repeat(BYTES);
    await Promise.all(
      senders.map(({ socket }) => new Promise((sent) => socket.write(bytes, sent))),
    );
    return senders;
  }
  const answered =
    (status: number) =>
    ({ received }: RawSocket) =>
      received().startsWith(`HTTP/1.1 ${status}`);

  for (const [path, host, status] of [
    ['/nothing', 'nessuno.localhost', 404],
    ['/admin/api-tokens', HOST, 303],
  ] as const) {
    test(`cost nothing when they are answered already, ${status}`, async () => {
      const resident = gateway.residentMb();
      const senders = await sendAll(path, host);
      await until('all are answered', async () => senders.every(answered(status)));
      const grown = gateway.residentMb() - resident;
      assert.ok(grown < (SENDERS * BYTES) / 2 ** 21, `${grown} MB`);
      leave(senders);
    });
  }

  test('take no more memory for coming in small pieces', async () => {
    const resident = gateway.residentMb();
    const senders = await openMany(4);
    const pieces = '1\r\n \r\n'.repeat(200_000);
    const bytes = head(`POST ${EVENTS}`, HOST, 'Transfer-Encoding: chunked') + pieces;
    await Promise.all(
      senders.map(({ socket }) => new Promise((sent) => socket.write(bytes, sent))),
    );
    // Answered after all that was sent before.
    assert.equal((await client.get('/menu')).status, 200);
    const grown = gateway.residentMb() - resident;
    assert.ok(grown < 150, `${grown} MB`);
    leave(senders);
  });

  test('are refused when there are too many, and taken again when these are gone', async () => {
    const senders = await sendAll(EVENTS, HOST);
    await until('some are refused', async () => senders.some(answered(503)));
    assert.equal((await client.get('/menu')).status, 200);
    const body = JSON.stringify([{ type: 'menu_view', locale: 'it' }]);
    const whole = `${head(`POST ${EVENTS}`, HOST, `Content-Length: ${body.length}`)}${body}`;
    const somebody = await openSocket(gateway.port, true, '127.0.0.2');
    somebody.socket.write(whole);
    const answer = await somebody.until((received) => received.includes('\r\n\r\n'));
    assert.match(answer, /^HTTP\/1.1 202/, 'a client of another address has its own share');
    leave([...senders, somebody]);
    const retry = () => client.send(EVENTS, { method: 'POST', body });
    await untilStatus('there is room again', 202, retry);
  });
});

describe('a crowd does not keep others from Postgres', () => {
  const session = (asked: number) => `Cookie: lavagna=${String(asked).padStart(43, 'a')}`;
  const CROWDS: [string, (asked: number) => string][] = [
    [
      'at hosts that do not exist',
      (asked) => head('GET /api/v1/menu', `x${asked}.localhost`, 'Accept: */*'),
    ],
    ['at pages of the panel', (asked) => head('GET /admin/sign-in', HOST, session(asked))],
  ];
  for (const [where, request] of CROWDS) {
    test(where, async () => {
      const crowd = await openMany(constants.maxStatements + 200);
      let asked = 0;
      for (const { socket } of crowd) {
        const askNext = () => {
          asked += 1;
          socket.write(request(asked));
        };
        socket.on('data', askNext);
        askNext();
      }
      for (let probe = 0; probe < 10; probe += 1) {
        // Only Postgres can say that there is no such token.
        const wrong = { Authorization: `Bearer 1|${'a'.repeat(40)}` };
        assert.equal((await client.get('/admin/items', wrong)).status, 401);
      }
      await until('the crowd is not answered', () => asked > crowd.length);
      leave(crowd);
    });
  }
});
