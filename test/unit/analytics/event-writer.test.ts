import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { setImmediate as settle } from 'node:timers/promises';
import type { PgBoss } from 'pg-boss';
import { constants } from '../../../db/runtime/constants.ts';
import type { AcceptedEvent, EventJob } from '../../../db/schema/event.ts';
import { createEventWriter } from '../../../gateway/analytics/event-writer.ts';
import { UnavailableError } from '../../../gateway/http/errors.ts';

/** A statement that sends jobs, and that the test lets succeed or fail. */
interface Sent {
  jobs: EventJob[];
  resolve(): void;
  reject(error: Error): void;
}

let sent: Sent[];
let writer: ReturnType<typeof createEventWriter>;

beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout'] });
  sent = [];
  const boss = {
    insert: (_queue: string, jobs: { data: EventJob }[]) =>
      new Promise<void>((resolve, reject) => {
        sent.push({ jobs: jobs.map(({ data }) => data), resolve, reject });
      }),
  };
  writer = createEventWriter(boss as unknown as PgBoss, constants);
});

afterEach(() => mock.timers.reset());

function events(count: number): AcceptedEvent[] {
  return Array.from({ length: count }, (_, hour) => ({ hour }) as AcceptedEvent);
}

const write = (some: readonly AcceptedEvent[]) => writer.write(some, constants.eventTimeout);

const linger = async () => {
  mock.timers.tick(constants.eventBatchDelay);
  await settle();
};

const last = () => sent.at(-1) as Sent;

/** Lets the last statement succeed. */
const succeed = async () => {
  last().resolve();
  await settle();
};

test('requests that come within a moment share a commit and wait for it', async () => {
  const replies: string[] = [];
  void write(events(1)).then(() => replies.push('first'));
  void write(events(2)).then(() => replies.push('second'));
  await linger();
  assert.equal(sent.length, 1);
  assert.deepEqual(last().jobs[0]?.hour, [0, 0, 1]);
  assert.deepEqual(replies, []);
  assert.equal(writer.stats().pending, 3);
  await succeed();
  assert.deepEqual(replies, ['first', 'second']);
  assert.equal(writer.stats().pending, 0);
});

test('what comes during a commit goes with the next one', async () => {
  const first = write(events(1));
  await linger();
  const second = write(events(1));
  await linger();
  assert.equal(sent.length, 1);
  await succeed();
  assert.equal(sent.length, 2);
  last().resolve();
  await Promise.all([first, second]);
});

test('the moment that events were to wait may pass after they went with another commit', async () => {
  const first = write(events(1));
  await linger();
  const second = write(events(1));
  await succeed();
  last().resolve();
  await Promise.all([first, second]);
  await linger();
  const third = write(events(1));
  await linger();
  assert.equal(sent.length, 3);
  last().resolve();
  await third;
  await writer.stop();
});

test('many events become several jobs, very many several commits', async () => {
  const requests = Array.from({ length: (constants.eventsPerCommit / 500) * 1.5 }, () =>
    write(events(500)),
  );
  await linger();
  assert.equal(last().jobs.length, constants.eventsPerCommit / constants.eventsPerJob);
  await succeed();
  assert.equal(sent.length, 2);
  last().resolve();
  await Promise.all(requests);
  const total = sent.flatMap(({ jobs }) => jobs).reduce((sum, job) => sum + job.hour.length, 0);
  assert.equal(total, constants.eventsPerCommit * 1.5);
});

test('when a commit fails its clients are told to come again, and others are served', async () => {
  const failed = write(events(1));
  await linger();
  last().reject(Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' }));
  await assert.rejects(failed, UnavailableError);
  const faulty = write(events(1));
  await linger();
  const fault = new TypeError('a defect of ours');
  last().reject(fault);
  await assert.rejects(faulty, fault);
  const next = write(events(1));
  await linger();
  last().resolve();
  await next;
  assert.equal(writer.stats().pending, 0);
});

test('a commit that takes too long keeps its clients no longer, and its room until it ends', async () => {
  const late = write(events(3));
  await linger();
  mock.timers.tick(constants.eventTimeout);
  await assert.rejects(late, UnavailableError);
  assert.equal(writer.stats().pending, 3);
  await succeed();
  assert.equal(writer.stats().pending, 0);
});

test('events behind a commit that is stuck are refused in their own time', async () => {
  const stuck = write(events(1));
  await linger();
  mock.timers.tick(constants.eventTimeout / 2);
  const behind = write(events(2));
  const halfway = assert.rejects(behind, UnavailableError);
  const hurried = assert.rejects(writer.write(events(4), 10), UnavailableError);
  mock.timers.tick(10);
  await hurried;
  assert.equal(writer.stats().pending, 3);
  mock.timers.tick(constants.eventTimeout / 2);
  await assert.rejects(stuck, UnavailableError);
  // The next commit is tried now, and is stuck as well.
  await settle();
  mock.timers.tick(constants.eventTimeout / 2);
  await halfway;
  const sizes = sent.map(({ jobs }) => jobs[0]?.hour.length);
  assert.deepEqual(sizes, [1, 2]);
});

test('beyond the bound events are refused at once', async () => {
  const held = Array.from({ length: constants.maxPendingEvents / 500 }, () => write(events(500)));
  await assert.rejects(write(events(1)), UnavailableError);
  await linger();
  for (let commits = 0; writer.stats().pending > 0; commits += 1) {
    assert.ok(commits < constants.maxPendingEvents / constants.eventsPerCommit);
    await succeed();
  }
  await Promise.all(held);
  const again = write(events(1));
  await linger();
  last().resolve();
  await again;
});

test('stopping commits what is pending', async () => {
  const pending = write(events(2));
  const stopped = writer.stop();
  await linger();
  last().resolve();
  await Promise.all([pending, stopped, writer.stop()]);
});
