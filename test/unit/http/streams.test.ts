import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { constants } from '../../../db/runtime/constants.ts';
import { TooManyStreamsError } from '../../../gateway/http/errors.ts';
import type { Sink } from '../../../gateway/http/sink.ts';
import { isNews, readLastEventId } from '../../../gateway/stream/event.ts';
import { createEpoch } from '../../../gateway/stream/live-menus.ts';
import { createStreams, maxStreamsFor } from '../../../gateway/stream/streams.ts';

const NEW_CLIENT = { epoch: '', version: 0 };
const versionOf = (version: number, epoch = 'e') => ({ epoch, version, generatedAt: 'now' });

/** The writing end of a client's new stream. */
function beginAt(streams: ReturnType<typeof createStreams>, client: number) {
  const end = { text: '', takes: true, isEnded: false, isCut: false, leave: () => {} };
  const sink: Sink = {
    write: (piece) => {
      end.text += piece;
      return end.takes;
    },
    end: () => {
      end.isEnded = true;
    },
    cut: () => {
      end.isCut = true;
    },
  };
  end.leave = streams.begin('osteria', client, NEW_CLIENT)(sink);
  return end;
}

/** Streams of so many clients, which end with the test. */
function openStreams(t: TestContext, count: number) {
  const streams = createStreams({ constants, maxStreams: 1_000, now: () => 0 });
  t.after(streams.stop);
  return { streams, ends: Array.from({ length: count }, (_, client) => beginAt(streams, client)) };
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await nextTurn();
}

test('an announced version reaches 50 streams in each turn of the event loop', async (t) => {
  const { streams, ends } = openStreams(t, 120);
  streams.announce('osteria', versionOf(3));
  const told = () => ends.filter(({ text }) => text.includes('"version":3')).length;
  assert.equal(told(), 0);
  const numbers = [];
  for (let turn = 0; turn < 3; turn += 1) {
    await nextTurn();
    numbers.push(told());
  }
  assert.deepEqual(numbers, [50, 100, 120]);
});

test('a stream is told of the newest of several versions only, and of none twice', async (t) => {
  const { streams, ends } = openStreams(t, 1);
  for (const version of [3, 5, 4, 5]) streams.announce('osteria', versionOf(version));
  await turns(2);
  streams.announce('osteria', versionOf(5));
  await turns(2);
  assert.deepEqual(ends[0]?.text.match(/"version":\d+/g), ['"version":5']);
});

test('a stream whose client does not take what is written is cut', async (t) => {
  const { streams, ends } = openStreams(t, 2);
  const [deaf, other] = ends;
  assert.ok(deaf && other);
  deaf.takes = false;
  streams.announce('osteria', versionOf(3));
  await turns(2);
  assert.deepEqual([deaf.isCut, other.isCut], [true, false]);
  const { open, closed } = streams.stats();
  assert.deepEqual([open, closed.slow], [1, 1]);
  deaf.leave();
  assert.equal(streams.stats().closed.left, 0, 'it is counted once');
});

test('streams that are drained end in turns, and one that comes later ends at once', async (t) => {
  const { streams, ends } = openStreams(t, 60);
  const drained = streams.drain();
  await nextTurn();
  assert.equal(ends.filter(({ isEnded }) => isEnded).length, 50);
  await drained;
  assert.ok(ends.every(({ isEnded }) => isEnded));
  const late = beginAt(streams, 1);
  await turns(2);
  assert.match(late.text, /^retry: \d+\n\n$/);
  assert.deepEqual([late.isEnded, late.isCut], [true, false]);
});

test('an id of an event names its epoch and version, and any other text no version', () => {
  assert.deepEqual(readLastEventId('8c1f2a.0d-42'), { epoch: '8c1f2a.0d', version: 42 });
  for (const text of ['', '42', '-42', 'a-', 'a-1.5', 'a--1', `${'a'.repeat(99)}-1`, 'é-1']) {
    assert.deepEqual(readLastEventId(text), NEW_CLIENT, text);
  }
  assert.equal(isNews({ epoch: 'e', version: 2 }, { epoch: 'e', version: 1 }), false);
  assert.equal(isNews({ epoch: 'e', version: 2 }, { epoch: 'f', version: 1 }), true);
});

test('an epoch is the same for one history, and another one after its end', () => {
  let history: string | null = 'one';
  const epoch = createEpoch(() => history);
  const first = epoch.of(1);
  assert.equal(createEpoch(() => 'one').of(1), first, 'on every gateway');
  assert.notEqual(epoch.of(2), first, 'another restaurant may take the slug over');
  history = 'two';
  assert.notEqual(epoch.of(1), first);
  history = null;
  const hidden = epoch.of(1);
  epoch.end();
  assert.notEqual(epoch.of(1), hidden);
  for (const name of [first, epoch.of(1)]) {
    assert.deepEqual(readLastEventId(`${name}-7`), { epoch: name, version: 7 });
  }
});

test('the limit of open files decides how many streams there may be', () => {
  const limits = (hard: string) => `Max open files            1024      ${hard}      files`;
  assert.equal(maxStreamsFor(limits('20000')), 18_000);
  assert.equal(maxStreamsFor(limits('1024')), 768);
  assert.equal(maxStreamsFor(limits('200')), 0);
  assert.equal(maxStreamsFor(limits('1048576')), 100_000);
  assert.equal(maxStreamsFor(limits('unlimited')), 100_000);
  assert.equal(maxStreamsFor(''), 100_000);
});

test('a client has a share of a gateway’s streams, however many restaurants it follows', (t) => {
  const { streams } = openStreams(t, 0);
  const sink: Sink = { write: () => true, end: () => {}, cut: () => {} };
  const most = 1_000 * constants.clientStreamShare;
  for (let opened = 0; opened < most; opened += 1) {
    streams.begin(`osteria-${opened}`, 1, NEW_CLIENT)(sink);
  }
  assert.throws(() => streams.begin('bottega', 1, NEW_CLIENT), TooManyStreamsError);
  streams.begin('bottega', 2, NEW_CLIENT)(sink);
  const site = (network: string) => `\x20\x01\x0d\xb8\0\x01\0${network}12345678`;
  for (let opened = 0; opened < most; opened += 1) {
    streams.begin('bottega', site(String.fromCharCode(opened)), NEW_CLIENT)(sink);
  }
  assert.throws(() => streams.begin('bottega', site('z'), NEW_CLIENT), TooManyStreamsError);
});
