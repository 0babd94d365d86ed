import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { hash } from '@node-rs/argon2';
import { hashPassword, verifyPassword } from '../../../db/actions/password.ts';
import { constants } from '../../../db/runtime/constants.ts';
import { addressOfText } from '../../../gateway/http/client-address.ts';
import {
  BusyError,
  createPasswordChecks,
  type Matches,
} from '../../../gateway/panel/password-checks.ts';
import { createGate } from '../../support/gate.ts';

const PASSWORD = 'pane, burro e alici';
/** One that takes a hundred times as long to check as the other. */
const dear = await hash(PASSWORD, { memoryCost: 19_456, timeCost: 10, parallelism: 1 });
const cheap = await hash(PASSWORD, { memoryCost: 1_024, timeCost: 2, parallelism: 1 });

// A rest keeps no process running, and here nothing else does.
const awake = setInterval(() => undefined, 1_000);
after(() => clearInterval(awake));

const client = (text: string) => addressOfText(text) ?? assert.fail(text);
const checking = <T>(work: (matches: Matches) => Promise<T>) =>
  createPasswordChecks().admit(1, client('192.0.2.1'), work);

test('passwords are checked one after the other, with a rest between them', async () => {
  await checking(async (matches) => {
    const order: string[] = [];
    const first = matches(dear, PASSWORD).then(() => order.push('first'));
    const second = matches(cheap, PASSWORD).then(() => order.push('second'));
    await first;
    // Time for a second check that began at once, or even together with the first.
    for (let i = 0; i < 5; i += 1) await verifyPassword(cheap, PASSWORD);
    order.push('rest');
    await second;
    assert.deepEqual(order, ['first', 'rest', 'second']);
  });
});

test('one that fails does not hold up the next', async () => {
  await checking(async (matches) => {
    const broken = matches('no hash at all', PASSWORD);
    const next = matches(cheap, PASSWORD);
    await assert.rejects(broken);
    assert.equal(await next, true);
  });
});

test('a password is the same with its accents on their letters and behind them', async () => {
  const forms = ['NFC', 'NFD'].map((form) => 'caffè perché no'.normalize(form));
  for (const made of forms) {
    const stored = await hashPassword(made);
    for (const typed of forms) assert.equal(await verifyPassword(stored, typed), true);
    assert.equal(await verifyPassword(stored, 'caffe perche no'), false);
    // Stored as it was typed, as all were at first.
    const early = await hash(made, { memoryCost: 1_024, timeCost: 2, parallelism: 1 });
    assert.equal(await verifyPassword(early, made), true);
  }
});

const assertBusy = (error: unknown) => assert.ok(error instanceof BusyError);

/** Sign-ins that last until `leave` is called. */
function createDoor() {
  const checks = createPasswordChecks();
  const { opened: left, open: leave } = createGate();
  return {
    leave,
    enter: (tenantId: number, text: string) => checks.admit(tenantId, client(text), () => left),
    pass: (tenantId: number, text: string) =>
      checks.admit(tenantId, client(text), () => Promise.resolve('passed')),
  };
}

test('a client has three places and leaves the others to the rest of the world', async () => {
  const { enter, pass, leave } = createDoor();
  const site = ['2001:db8::1', '2001:db8:0:1::2', '2001:db8:0:ff00:ffff::'];
  const inside = site.map((text, tenant) => enter(tenant, text));
  await assert.rejects(pass(3, '2001:db8:0:2::3'), BusyError);
  for (let i = inside.length; i < constants.maxSignIns; i += 1) {
    inside.push(enter(i, `192.0.2.${i}`));
  }
  await assert.rejects(pass(100, '198.51.100.1'), BusyError, 'there are sixty in all');
  leave();
  await Promise.all(inside);
  await Promise.all(site.map((text) => pass(1, text)));
});

test('a flood from one IPv6 /56 at every restaurant leaves every restaurant open', async () => {
  const { enter, pass, leave } = createDoor();
  const flood = Array.from({ length: 256 }, (_, i) => {
    return enter(i, `2001:db8:0:${i.toString(16)}::1`).catch(assertBusy);
  });
  for (let tenant = 0; tenant < 60; tenant += 1) {
    assert.equal(await pass(tenant, '203.0.113.7'), 'passed');
  }
  leave();
  await Promise.all(flood);
});

test('a flood of many addresses at one restaurant leaves the others open', async () => {
  const { enter, pass, leave } = createDoor();
  const flood = Array.from({ length: 200 }, (_, i) => {
    return enter(1, `198.51.100.${i}`).catch(assertBusy);
  });
  await assert.rejects(pass(1, '203.0.113.7'), BusyError);
  for (let tenant = 2; tenant < 62; tenant += 1) {
    assert.equal(await pass(tenant, '203.0.113.7'), 'passed');
  }
  leave();
  await Promise.all(flood);
  assert.equal(await pass(1, '203.0.113.7'), 'passed', 'all places were given back');
});
