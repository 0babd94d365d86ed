import type { Random } from '../../../bench/load/random.ts';
import { draftAdminRead, draftEvents, draftRead, draftWrite } from './api-drafts.ts';
import { createDice } from './dice.ts';
import type { FuzzRequest } from './exchange.ts';
import { draftDisplay, draftForm, draftPanel } from './page-drafts.ts';
import { garble, oddBytes } from './values.ts';
import type { Session, World } from './world.ts';

/** Where a request goes and what it carries, before its host and client are chosen. */
export type Draft = Partial<FuzzRequest> & { path: string };

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PURGE'];
const DRAFTS = [
  ...[draftRead, draftRead, draftRead, draftEvents, draftEvents, draftAdminRead, draftAdminRead],
  ...[draftWrite, draftDisplay, draftPanel, draftForm],
];
const NO_BODY = Buffer.alloc(0);

/** Requests of every kind to every part of Lavagna. */
interface Requests {
  next(): FuzzRequest;
  /** The bytes of a request, some of them changed. */
  nextBytes(): Buffer;
}

/** The same random makes the same requests. */
export function createRequests(random: Random, world: World, session: Session): Requests {
  const dice = createDice(random);
  const { chance, pick } = dice;

  const next = (): FuzzRequest => {
    const draft = pick(DRAFTS)(dice, world, session);
    const { method = 'GET', path, headers = {}, body = NO_BODY } = draft;
    const host = chance(0.94)
      ? world.host
      : pick([world.otherHost, 'nessuno.localhost', '', '[::1]', '__proto__.localhost']);
    return {
      method: chance(0.95) ? method : pick(METHODS),
      path,
      headers: {
        Host: host,
        ...(chance(0.3) && { 'Accept-Encoding': pick(['gzip', 'br', '*;q=0', 'x;;q']) }),
        ...(chance(0.2) && { 'If-None-Match': pick(['*', '"x", W/"y"', '",', 'x']) }),
        ...(chance(0.1) && { Origin: 'https://elsewhere.example' }),
        ...headers,
      },
      body: chance(0.98) ? body : oddBytes(random, 2_000),
    };
  };

  const nextBytes = (): Buffer => {
    const { method, path, headers, body } = next();
    const fields = { ...headers, 'Content-Length': String(body.length) };
    const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
    const head = Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1');
    return garble(random, Buffer.concat([head, body]));
  };

  return { next, nextBytes };
}
