import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { each } from '../support/each.ts';
import { startProvokedGateway } from '../support/gateway-process.ts';
import { isNewerLibrary } from '../support/http-library.ts';
import { openSocket, readAnswers, untilRead } from '../support/raw-socket.ts';

const gateway = await startProvokedGateway();
after(() => gateway.stop());

const HOST = 'Host: trattoria.localhost\r\n';
const THEME = '/api/v1/theme';
const EVENTS = '/api/v1/analytics/events';
/** An event that is accepted. */
const EVENT = '{"type":"menu_view"}';
const LENGTH = `Content-Length: ${EVENT.length}\r\n`;
const CHUNKED = 'Transfer-Encoding: chunked\r\n';
const CHUNKS = `${EVENT.length.toString(16)}\r\n${EVENT}\r\n0\r\n\r\n`;

const get = (target: string, headers = HOST, version = 'HTTP/1.1') =>
  `GET ${target} ${version}\r\n${headers}\r\n`;
const post = (headers: string, body: string) =>
  `POST ${EVENTS} HTTP/1.1\r\n${HOST}${headers}\r\n${body}`;

const NEXT = get('/api/v1/restaurant');

/** Statuses that are answered; unless it ends in `closed` the connection goes on after them. */
type Outcome = (number | 'closed')[];

/** `newer` is what the newer binary answers on its own, before our code sees the request. */
type Case = [what: string, bytes: string, outcome: Outcome, newer?: Outcome];

const TOO_LARGE: Outcome = [431, 'closed'];
const BAD: Outcome = [400, 'closed'];
const BIG_CHUNK = `300000\r\n${'a'.repeat(0x300000)}\r\n0\r\n\r\n`;
const TOKENS = 'Authorization: Bearer 1|a\r\nAuthorization: Bearer 2|b\r\n';
const WEBSOCKET =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';

const FRAMES: Case[] = [
  ['a body of a length', post(LENGTH, EVENT), [202]],
  ['a body in chunks', post(CHUNKED, CHUNKS), [202, 'closed']],
  ['3 MB in chunks', post(CHUNKED, BIG_CHUNK), [413, 'closed']],
  ['two lengths', post(LENGTH + LENGTH, EVENT), BAD],
  ['two lengths that differ', post(`${LENGTH}Content-Length: 3\r\n`, EVENT), BAD],
  ['a list of lengths', post('Content-Length: 20, 20\r\n', EVENT), BAD],
  ['a length and chunks', post(LENGTH + CHUNKED, CHUNKS), BAD],
  ['chunks and a length', post(CHUNKED + LENGTH, CHUNKS), BAD],
  ['chunks twice', post(CHUNKED + CHUNKED, CHUNKS), BAD],
  ['chunks of something else', post('Transfer-Encoding: xchunked\r\n', CHUNKS), BAD],
  ['packed chunks', post('Transfer-Encoding: gzip, chunked\r\n', CHUNKS), BAD],
  ...['-1', '1e3', '0x10', '+20', '99999999999999999999', '20a'].map((length): Case => {
    return [`the length ${length}`, post(`Content-Length: ${length}\r\n`, EVENT), BAD];
  }),
  ...['zz', '-2', 'FFFFFFFFFFFFFFFFFF'].map((size): Case => {
    return [`a chunk of size ${size}`, post(CHUNKED, `${size}\r\n{}\r\n0\r\n\r\n`), BAD];
  }),
  ['a chunk extension', post(CHUNKED, CHUNKS.replace('\r', ';x=y\r')), BAD],
  ['a trailer', post(CHUNKED, CHUNKS.replace(/\r\n$/, 'X: a\r\n\r\n')), [505, 'closed']],
  ['two hosts', post(`Host: pizzeria.localhost\r\n${LENGTH}`, EVENT), BAD],
  ['two tokens', get('/api/v1/admin/items', `${HOST}${TOKENS}`), BAD],
  ['two hosts and no body', get(THEME, `${HOST}Host: pizzeria.localhost\r\n`), [200], BAD],
  ['a GET with a body', `${get(THEME, `${HOST}${LENGTH}`)}${EVENT}`, [200]],
  ['a GET with chunks', `${get(THEME, `${HOST}${CHUNKED}`)}${CHUNKS}`, BAD],
  ['a GET with two lengths', `${get(THEME, `${HOST}${LENGTH}${LENGTH}`)}${EVENT}`, BAD],
  ['a trailer that is announced', post(`${CHUNKED}Trailer: X\r\n`, CHUNKS), BAD],
  ['an expectation', post(`${LENGTH}Expect: 100-continue\r\n`, EVENT), [100, 202]],
  ['its other spelling', post(`${LENGTH}Expect: 100-Continue\r\n`, EVENT), [202]],
  ['an expectation of nothing we know', post(`${LENGTH}Expect: magic\r\n`, EVENT), [202]],
  ['a wish for another protocol', get(THEME, `${HOST}Upgrade: h2c\r\n`), [200]],
  ['a wish for a WebSocket', get(THEME, `${HOST}${WEBSOCKET}`), [200]],
  ['garbage after a request', `${get(THEME)}\0\u00ff garbage\r\n\r\n`, [505, 'closed']],
  ['garbage after a body', post(LENGTH, `${EVENT}{}{}\r\n\r\n`), [505, 'closed'], [202, 'closed']],
];

const LINES: Case[] = [
  ['an unknown method', get(THEME).replace('GET', 'FROB'), [405]],
  ['an endless method', get(THEME).replace('GET', 'X'.repeat(5_000)), [405]],
  ['the head of an answer without a body', get('/admin').replace('GET', 'HEAD'), [303]],
  ['HTTP/1.0', get(THEME, HOST, 'HTTP/1.0'), [505, 'closed']],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [505, 'closed']],
  ['TLS', `\u0016\u0003\u0001\u0002\0\u0001${'a'.repeat(500)}`, [505, 'closed']],
  ['an absolute address', get(`http://trattoria.localhost${THEME}`), [505, 'closed']],
  ['an asterisk', 'OPTIONS * HTTP/1.1\r\n\r\n', [505, 'closed']],
  ['a tunnel', `CONNECT trattoria.localhost:80 HTTP/1.1\r\n${HOST}\r\n`, [505, 'closed']],
  ['NUL in the path', get(`${THEME}\0`), [505, 'closed']],
  ['a space in the path', get('/api/v1/the me'), [505, 'closed']],
  ['no more than a line feed', get(THEME).replaceAll('\r', ''), [505, 'closed']],
  ['no host', get(THEME, 'Host:\r\n'), [404]],
  ['a search of 10 KB', get(`/api/v1/items?search=${'a'.repeat(10_000)}`), [422]],
  ['10 KB of parameters', get(`/api/v1/items?${'a&'.repeat(5_000)}`), [200]],
  ['an address of 20 KB', get(`/${'a'.repeat(20_000)}`), [404]],
  ['a search of 20 KB', get(`/api/v1/items?search=${'a'.repeat(20_000)}`), [414]],
  ['20 KB of parameters for a page', get(`/admin/panel.css?${'a&'.repeat(10_000)}`), [200]],
  ['20 KB of parameters', get(`/api/v1/items?${'a&'.repeat(10_000)}`), [414]],
  ['an address of 2 MB', get(`/${'a'.repeat(2_000_000)}`), [505, 'closed'], TOO_LARGE],
  ['a header of 8 KB', get(THEME, `${HOST}X: ${'a'.repeat(8_000)}\r\n`), [200]],
  ['a header of 200 KB', get(THEME, `${HOST}X: ${'a'.repeat(200_000)}\r\n`), TOO_LARGE],
  ['90 headers', get(THEME, `${HOST}${'X: a\r\n'.repeat(90)}`), [200]],
  ['500 headers', get(THEME, `${HOST}${'X-Header: abcdefgh\r\n'.repeat(500)}`), TOO_LARGE],
  ['a port of 8 KB', get(THEME, `Host: trattoria.localhost:${'1'.repeat(8_000)}\r\n`), [404]],
  ['a host of 8 KB', get(THEME, `Host: ${'a'.repeat(8_000)}.localhost\r\n`), [404]],
  ['a path that is no UTF-8', get('/api/v1/menu/\u00ff\u00fe'), [200]],
  ['a query that is no UTF-8', get('/api/v1/items?search=\u00ff%ff%00%ed%a0%80%u'), [200]],
  ['a path of slashes', get('/'.repeat(9_000)), [404]],
  ['a path of slashes before something', get(`${'/'.repeat(16_000)}a`), [404]],
  ['slashes after a path', get(`${THEME}////`), [200]],
  ['an encoded letter in a path', get('/api/v1/%74heme'), [200]],
  ['an encoded slash in a path', get('/api/v1%2Ftheme'), [404]],
  ['an encoded admin path', get('/api/v1/%61dmin/items'), [401]],
  [
    'nothing where a path has an id',
    get('/api/v1/admin/items//restore').replace('GET', 'POST'),
    [404],
  ],
  ['dots in a path', get('/api/v1/../../etc/passwd'), [404]],
  ['an encoded NUL in a path', get('/api/v1/items/%00'), [404]],
  ['a prototype in a path', get('/api/v1/__proto__/constructor'), [404]],
  ['a prototype as an id', get('/api/v1/items/__proto__'), [404]],
  ['a prototype as a locale', get('/api/v1/menu/__proto__'), [200]],
  ['a prototype in a query', get('/api/v1/items?__proto__=1&constructor=2'), [200]],
  ['a prototype as a tenant', get(THEME, 'Host: constructor.localhost\r\n'), [404]],
];

/** The bytes that the kernel takes from a client at once, about. */
const SENT_AT_ONCE = 64 * 1_024;

for (const [title, cases] of Object.entries({ framing: FRAMES, 'heads and lines': LINES })) {
  describe(title, { concurrency: 8 }, () => {
    for (const [what, bytes, ours, newer = ours] of cases) {
      const outcome = isNewerLibrary ? newer : ours;
      test(`${what}: ${outcome.join(', ')}`, async () => {
        const raw = await openSocket(gateway.port);
        const wanted = outcome.filter((status) => status !== 'closed');
        raw.socket.write(Buffer.from(bytes, 'latin1'));
        if (wanted.length < outcome.length) {
          await raw.closed;
        } else {
          await raw.until((text) => readAnswers(text).length >= wanted.length);
          raw.socket.write(NEXT);
          wanted.push(200);
          await raw.until((text) => readAnswers(text).length >= wanted.length);
        }
        const answers = readAnswers(raw.received());
        // Closing while the client still sends resets the connection: its answer may be lost.
        const isLost = bytes.length > SENT_AT_ONCE && answers.length === 0;
        assert.deepEqual(each(answers, 'status'), isLost ? [] : wanted);
        for (const { head, body } of answers) {
          if (!/content-type: application\/json/i.test(head)) continue;
          const { success } = JSON.parse(body);
          assert.equal(success, /^HTTP\/1\.1 2/.test(head));
        }
        raw.socket.destroy();
      });
    }
  });
}

// The older library's own answer, which its newer binaries do not give.
const CUT_LINE = isNewerLibrary ? 200 : 505;

test(`a request may arrive in two pieces, but a cut request line is ${CUT_LINE}`, async () => {
  const request = get(THEME);
  const line = request.indexOf('\r\n') + 2;
  for (const [at, status] of [
    [line - 12, CUT_LINE],
    [line, 200],
    [line + 9, 200],
    [request.length - 1, 200],
  ] as const) {
    const raw = await openSocket(gateway.port);
    raw.socket.write(request.slice(0, at));
    await untilRead(gateway.port);
    raw.socket.write(request.slice(at));
    const received = await raw.until((text) => readAnswers(text).length > 0);
    assert.equal(readAnswers(received)[0]?.status, status, `cut at ${at}`);
    raw.socket.destroy();
  }
});

test('nothing that follows an ambiguous request is taken for one', async () => {
  for (const headers of [LENGTH + LENGTH, CHUNKED + CHUNKED, 'Transfer-Encoding: xchunked\r\n']) {
    const raw = await openSocket(gateway.port);
    raw.socket.write(post(headers, CHUNKS) + NEXT);
    assert.doesNotMatch(await raw.closed, /HTTP\/1\.1 20\d/);
  }
});

test('what stands behind chunks is not taken for a request', async () => {
  const chunked = HOST + CHUNKED;
  const trailer = `X:${NEXT}`;
  for (const request of [post(CHUNKED, ''), get(THEME, chunked), get('/api/v1/items', chunked)]) {
    const raw = await openSocket(gateway.port);
    raw.socket.write(request + CHUNKS.slice(0, -2) + trailer);
    const answers = readAnswers(await raw.closed);
    assert.ok(answers.length <= 1, `${request}: ${answers.map(({ status }) => status)}`);
    assert.ok(!answers.some(({ body }) => body.includes('vat_number')));
  }
});

test('a client that sends its chunks slowly hears that it has no token', async () => {
  const raw = await openSocket(gateway.port);
  raw.socket.write(post(CHUNKED, '').replace(EVENTS, '/api/v1/admin/items'));
  for (let piece = 0; piece < 3; piece += 1) {
    await untilRead(gateway.port);
    raw.socket.write('1\r\n{\r\n');
  }
  await untilRead(gateway.port);
  assert.equal(raw.received(), '', 'many clients look for an answer only when they have sent all');
  raw.socket.write('0\r\n\r\n');
  const [answer] = readAnswers(await raw.closed);
  assert.equal(answer?.status, 401);
});

test('a body without an end is refused, and the next client is served', async () => {
  const endless = await openSocket(gateway.port);
  endless.socket.write(post(CHUNKED, ''));
  const piece = `10000\r\n${'a'.repeat(0x10000)}\r\n`;
  let sent = 0;
  const pour = () => {
    while (sent < 16_000_000 && endless.socket.writable) {
      sent += piece.length;
      if (!endless.socket.write(piece)) return;
    }
  };
  endless.socket.on('drain', pour);
  pour();
  const resident = gateway.residentMb();
  const received = await endless.until((text) => readAnswers(text).length > 0);
  assert.equal(readAnswers(received)[0]?.status, 413);
  assert.equal((await gateway.client('trattoria').get('/theme')).status, 200);
  assert.ok(gateway.residentMb() - resident < 100);
  endless.socket.destroy();
});
