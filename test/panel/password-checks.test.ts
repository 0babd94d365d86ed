import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { hash } from '@node-rs/argon2';
import { verifyPassword } from '../../db/password.ts';
import { createPasswordChecks, type Matches } from '../../gateway/panel/sign-in/password-checks.ts';

const PASSWORD = 'pane, burro e alici';
/** One that takes a hundred times as long to check as the other. */
const dear = await hash(PASSWORD, { memoryCost: 19_456, timeCost: 10, parallelism: 1 });
const cheap = await hash(PASSWORD, { memoryCost: 1_024, timeCost: 2, parallelism: 1 });

// A rest keeps no process running, and here nothing else does.
const awake = setInterval(() => undefined, 1_000);
after(() => clearInterval(awake));

const checking = <T>(work: (matches: Matches) => Promise<T>) => createPasswordChecks().admit(work);

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
