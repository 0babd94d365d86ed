// The log of a crowd: a warning, once in a while.
import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { TooManyStatementsError } from '../../../db/postgres/outage.ts';
import { createOutageWatch } from '../../../db/postgres/outage-watch.ts';
import { type Constants, constants } from '../../../db/runtime/constants.ts';
import { createLog } from '../../../db/runtime/log.ts';
import { UnavailableError, unavailable } from '../../../gateway/http/errors.ts';
import { createFail } from '../../../gateway/pipeline/perform.ts';
import { each } from '../../support/each.ts';
import { until } from '../../support/until.ts';

interface Line {
  level: number;
  msg: string;
  repeats?: number;
}
const [WARN, ERROR] = [40, 50];

function openLog(changed: Partial<Constants> = {}) {
  const lines: Line[] = [];
  const destination = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  const outages = createOutageWatch(new Set(['postgres://lavagna@127.0.0.1:1/none']), constants);
  const all = { ...constants, ...changed };
  return {
    lines,
    log: createLog({ name: 'test', level: 'warn', outages, destination, constants: all }),
  };
}

const crowded = () => new TooManyStatementsError('too many statements wait');

test('refused statements are one warning, whatever they were for, and no outage', () => {
  const { lines, log } = openLog();
  for (let n = 0; n < 50; n += 1) {
    log.error({ err: crowded() }, 'a page of the panel failed');
    log.error({ err: new Error(`could not read ${n}`, { cause: crowded() }) }, 'a request failed');
    log.warn({ err: crowded() }, `could not do ${n}`);
  }
  const told = lines.map(({ level, msg }) => [level, msg]);
  assert.deepEqual(told, [[WARN, 'a page of the panel failed']]);
});

test('their repeats are told of in one warning when the interval is over', async () => {
  const { lines, log } = openLog({ faultRepeatInterval: 1 });
  for (let n = 0; n < 50; n += 1) log.error({ err: crowded() }, 'a request failed');
  assert.equal(lines.length, 1);
  // The log's own timer does not keep the process running.
  await until('nothing was told', async () => lines.length > 1);
  assert.deepEqual([lines[1]?.level, lines[1]?.repeats], [WARN, 49]);
});

test('a request that is refused for lack of room is a warning, a defect is an error', () => {
  const { lines, log } = openLog();
  const fail = createFail(log);
  const request = { id: 'a' };
  const route = '/api/v1/menu';
  assert.throws(
    () => unavailable('could not read')(crowded()),
    (error) => {
      assert.match(fail(error, request, route).status, /^503/);
      return error instanceof UnavailableError;
    },
  );
  assert.match(fail(new UnavailableError('too many writes wait'), request, route).status, /^503/);
  assert.match(fail(new Error('a defect'), request, route).status, /^500/);
  assert.deepEqual(each(lines, 'level'), [WARN, WARN, ERROR]);
});
