import type * as v from 'valibot';
import type { Joinable, Once } from '../../db/actions/action.ts';
import { operatorContext } from '../../db/actions/restaurants.ts';
import type { OriginOf } from '../../db/runtime/restaurant-origin.ts';
import type { PlatformScope } from '../../db/schema/platform.ts';
import type { InputSchema } from '../../db/schema/validation/check-input.ts';
import { findRestaurant } from '../../db/sql/restaurants.ts';
import type { HostCheck } from '../hosts/hosts.ts';
import { NotFoundError } from '../http/errors.ts';

/** The arguments of an operation of the platform. */
export interface PlatformContext {
  db: Joinable;
  originOf: OriginOf;
  /** DOMAIN. */
  domain: string;
  isServed: HostCheck;
  /** The values of the path's parameters. */
  params: readonly string[];
  query: string;
  /** The client's name for the request, under which it is done once; null for none. */
  once: Once | null;
  /** The checked body; empty where the operation has none. */
  input: Record<string, unknown>;
}

/** The result of an operation; no data is 204. */
export interface PlatformOutcome {
  status: '200 OK' | '201 Created' | '204 No Content';
  data?: unknown;
  /** Further entries of `meta`. */
  meta?: Record<string, unknown>;
}

/** An operation of the platform's API, declared once. */
export interface PlatformOperation {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/platform`; a segment `:name` is a parameter. */
  path: string;
  id: string;
  summary: string;
  body?: InputSchema;
  query?: v.GenericSchema & { entries: v.ObjectEntries };
  /** Its token's scope; null: it needs no token. */
  scope: PlatformScope | null;
  /** Whether it looks after the key of a repeated request itself. */
  isMany?: boolean;
  /** @throws NotFoundError, InvalidError */
  run(context: PlatformContext): Promise<PlatformOutcome>;
}

/** An operation with a body: `run` gets it in the form of its schema. */
export function taking<S extends InputSchema>(
  operation: Omit<PlatformOperation, 'body' | 'run'> & {
    body: S;
    run(context: PlatformContext & { input: v.InferOutput<S> }): Promise<PlatformOutcome>;
  },
): PlatformOperation {
  return operation;
}

export const ok = (data: unknown, meta: Record<string, unknown> = {}): PlatformOutcome => ({
  ...{ status: '200 OK', data, meta },
});
export const created = (data: unknown): PlatformOutcome => ({ status: '201 Created', data });
export const GONE: PlatformOutcome = { status: '204 No Content' };

/** The place of an action on the restaurant that the path names. @throws MissingError */
export function contextOf({ db, domain, params: [slug = ''] }: PlatformContext) {
  return operatorContext({ database: db, domain }, slug);
}

/** A restaurant as answers have it. @throws NotFoundError */
export async function showRestaurant(db: Joinable, slug: string) {
  const restaurant = await findRestaurant(db, slug);
  if (!restaurant) throw new NotFoundError();
  return restaurant;
}
