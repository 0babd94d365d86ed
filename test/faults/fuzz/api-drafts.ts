import { declaredBody } from './bodies.ts';
import type { Dice } from './dice.ts';
import type { Draft } from './requests.ts';
import { addressOf, adminReads, adminWrites, publicReads, publicWrites } from './routes.ts';
import { garble } from './values.ts';
import type { World } from './world.ts';

export function draftRead(dice: Dice): Draft {
  if (dice.chance(0.05)) return { path: `/api/v1/${dice.text()}/${dice.id()}` };
  return { path: addressOf(dice.pick(publicReads), dice) };
}

export function draftEvents(dice: Dice): Draft {
  const declared = dice.pick(publicWrites);
  return {
    method: declared.method,
    path: addressOf(declared, dice),
    headers: { 'Content-Type': dice.pick(['application/json', 'text/plain', 'a/b']) },
    body: declaredBody(dice.random, declared),
  };
}

function authorization({ random, pick }: Dice, { token, readToken, otherToken }: World): string {
  const tokens = [token, token, token, token, readToken, otherToken, `1|${'a'.repeat(40)}`, ''];
  const value = pick([...tokens, garble(random, Buffer.from(token)).toString('latin1')]);
  // Node refuses to send other characters in a header.
  return `Bearer ${value.replace(/[^\x21-\x7e]/g, '')}`;
}

function adminHeaders(dice: Dice, world: World): Record<string, string> {
  const { chance, pick, random } = dice;
  return {
    Authorization: authorization(dice, world),
    ...(chance(0.9) && { 'Content-Type': 'application/json' }),
    ...(chance(0.1) && { Prefer: 'respond-async' }),
    ...(chance(0.1) && { 'If-Match': pick(['*', '"x"', 'nonsense']) }),
    ...(chance(0.2) && { 'Idempotency-Key': `key ${random.below(1_000)}` }),
  };
}

export function draftAdminRead(dice: Dice, world: World): Draft {
  return { path: addressOf(dice.pick(adminReads), dice), headers: adminHeaders(dice, world) };
}

/**
 * How often a route is drawn. The deletion of a section deletes its dishes too, so restores are drawn
 * more often than deletions.
 */
function weightOf({ method, path }: { method: string; path: string }): number {
  if (path.endsWith('/restore')) return 2;
  return method === 'DELETE' ? 1 : 3;
}

const WRITES = adminWrites.flatMap((declared) => new Array(weightOf(declared)).fill(declared));

export function draftWrite(dice: Dice, world: World): Draft {
  const declared = dice.pick(WRITES);
  return {
    method: declared.method,
    path: addressOf(declared, dice),
    headers: adminHeaders(dice, world),
    body: declaredBody(dice.random, declared),
  };
}
