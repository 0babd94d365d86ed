import type * as v from 'valibot';
import type { Database } from '../../db/postgres/connection.ts';
import type { OriginOf } from '../../db/runtime/restaurant-origin.ts';
import type { InputSchema } from '../../db/schema/validation/check-input.ts';
import type { HostCheck } from '../hosts/host-check.ts';

/** The arguments of an operation of the platform. */
export interface PlatformContext {
  db: Database;
  originOf: OriginOf;
  /** DOMAIN. */
  domain: string;
  isServed: HostCheck;
  /** The values of the path's parameters. */
  params: readonly string[];
  query: string;
  /** The checked body; empty where the operation has none. */
  input: Record<string, unknown>;
}

/** The result of an operation; no data is 204. */
export interface PlatformOutcome {
  status: '200 OK' | '201 Created' | '204 No Content';
  data?: unknown;
}

/** An operation of the platform's API, declared once. */
export interface PlatformOperation {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below `/platform`; a segment `:name` is a parameter. */
  path: string;
  id: string;
  summary: string;
  body?: InputSchema;
  query?: v.GenericSchema;
  /** Whether it needs no token. */
  isOpen?: boolean;
  /** @throws NotFoundError, InvalidError */
  run(context: PlatformContext): Promise<PlatformOutcome>;
}
