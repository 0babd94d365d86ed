import { COLLECTIONS, eventsBody, RESOURCES, recordBody } from './bodies.ts';
import type { Dice } from './dice.ts';
import type { Draft } from './requests.ts';
import { garble } from './values.ts';
import type { World } from './world.ts';

const LOCALES = ['it', 'en', 'fr', 'de', 'es', 'xx', ''] as const;
const REPORTS = ['overview', 'items', 'sections', 'allergens', 'insights'] as const;

export function draftRead(dice: Dice): Draft {
  const paths = [
    `/menu/${dice.pick(LOCALES)}`,
    '/menu',
    '/categories',
    `/categories/${dice.id()}`,
    '/items',
    '/items',
    `/items/${dice.id()}`,
    '/restaurant',
    '/theme',
    '/allergens',
    `/${dice.text()}/${dice.id()}`,
  ];
  return { path: `/api/v1${dice.pick(paths)}${dice.query()}` };
}

export function draftEvents({ random, pick }: Dice): Draft {
  return {
    method: 'POST',
    path: '/api/v1/analytics/events',
    headers: { 'Content-Type': pick(['application/json', 'text/plain', 'a/b']) },
    body: eventsBody(random),
  };
}

function authorization({ random, pick }: Dice, { token, readToken, otherToken }: World): string {
  const tokens = [token, token, token, token, readToken, otherToken, `1|${'a'.repeat(40)}`, ''];
  const value = pick([...tokens, garble(random, Buffer.from(token)).toString('latin1')]);
  // Node sends nothing else in a header.
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
  const resource = dice.pick([...RESOURCES, 'jobs']);
  const path = dice.chance(0.5)
    ? `/${resource}${dice.chance(0.5) ? `/${dice.id()}` : ''}`
    : `/analytics/${dice.pick(REPORTS)}`;
  return { path: `/api/v1/admin${path}${dice.query()}`, headers: adminHeaders(dice, world) };
}

export function draftWrite(dice: Dice, world: World): Draft {
  const resource = dice.pick(RESOURCES);
  const isOfMany = (COLLECTIONS as readonly string[]).includes(resource);
  const at = `/api/v1/admin/${resource}`;
  const headers = adminHeaders(dice, world);
  const body = recordBody(dice.random, resource);
  if (!isOfMany) return { method: 'PUT', path: at, headers, body };
  const kind = dice.random.below(10);
  if (kind < 4) return { method: 'POST', path: at, headers, body };
  if (kind < 7) return { method: 'PUT', path: `${at}/${dice.id()}`, headers, body };
  // Deleted sections take their dishes along: more comes back than goes.
  if (kind < 8) return { method: 'DELETE', path: `${at}/${dice.id()}`, headers };
  return { method: 'POST', path: `${at}/${dice.id()}/restore`, headers };
}
