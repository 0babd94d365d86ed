// Parts that live long: `stop` resolves when they have stopped, and again when it is called twice.
import assert from 'node:assert/strict';
import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import { after, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { PgBoss } from 'pg-boss';
import { pino } from 'pino';
import { createMail } from '../../../db/actions/mail.ts';
import { constants } from '../../../db/runtime/constants.ts';
import { createRepeated } from '../../../db/runtime/repeated.ts';
import type { Running } from '../../../db/runtime/running.ts';
import { createEventWriter } from '../../../gateway/analytics/event-writer.ts';
import { createNoted } from '../../../gateway/runtime/noted.ts';
import { startRounds } from '../../../workers/housekeeping/rounds.ts';
import { createPhotoMaker } from '../../../workers/photos/photo-maker.ts';
import { startTurnLoop } from '../../../workers/turns/turn-loop.ts';

const log = pino({ level: 'silent' });
const nothing = async () => {};
/** Longer than a test takes: a timer that is left over is still there. */
const long = 600_000;

const parts: Record<string, () => Running> = {
  rounds: () =>
    startRounds({ what: 'the test', interval: long, firstAfter: long, round: nothing, log }),
  repeated: () => {
    const fails = () => Promise.reject(new Error('it fails'));
    const repeated = createRepeated({ work: fails, onFailure: () => {}, pause: long });
    repeated.ask();
    return repeated;
  },
  noted: () => {
    const options = { interval: long, maxItems: 10, what: 'a note', log };
    const noted = createNoted<string>({ write: nothing, nameOf: (note) => note, ...options });
    noted.note('one');
    return noted;
  },
  'turn loop': () =>
    startTurnLoop({
      ...{ isNeeded: async () => false, isBusy: () => false, claim: async () => [] },
      ...{ take: async () => false, untilPoll: () => long, batchSize: 1, log, constants },
    }),
  'event writer': () => createEventWriter({ insert: nothing } as unknown as PgBoss, constants),
  'photo maker': () => createPhotoMaker(constants),
  mail: () => {
    const mailFrom = { name: '', address: 'a@b.test' };
    return createMail({ smtpUrl: 'smtp://127.0.0.1:9', mailFrom }, log) ?? assert.fail('no mail');
  },
};

/** Whether a part of this file is running: other files may have timers in this process. */
const isOurs = new AsyncLocalStorage<true>();
/** The timers that parts have begun and that are still there. */
const timers = new Set<number>();
const hook = createHook({
  init: (id, type) => {
    if (type === 'Timeout' && isOurs.getStore()) timers.add(id);
  },
  destroy: (id) => timers.delete(id),
}).enable();
after(() => hook.disable());

for (const [name, start] of Object.entries(parts)) {
  test(`${name}, stop resolves without a timer left over, when it is called twice`, async () => {
    await isOurs.run(true, async () => {
      const part = start();
      await turn();
      const first = part.stop();
      await Promise.all([first, part.stop()]);
      await part.stop();
    });
    // Node tells of an end in a later turn.
    await turn();
    assert.equal(timers.size, 0);
  });
}
