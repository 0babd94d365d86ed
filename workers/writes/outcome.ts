import { errorBody, invalidBody, successBody } from '../../db/schema/envelope.ts';
import type { Resource } from '../../db/schema/resource.ts';
import type { FieldErrors } from '../../db/schema/validation/messages.ts';
import type { AdminRecord } from '../../db/sql/menu/admin-record.ts';
import type { MenuChange } from './working-menu.ts';

/** What a write came to. */
export interface Outcome {
  status: number;
  /** Finished JSON; null where the status allows no body. */
  body: string | null;
  etag: string | null;
  recordId: number | null;
  /** What has become of the menu. */
  change: MenuChange;
}

/** The record is as it should be. */
export function done(status: 200 | 201, record: AdminRecord, change: MenuChange): Outcome {
  const { id, etag, data } = record;
  return { status, body: successBody(data), etag, recordId: id, change };
}

/** The record was created or changed, and no other record of the menu with it. */
export function written(status: 200 | 201, resource: Resource, record: AdminRecord): Outcome {
  return done(status, record, { kind: 'put', resource, row: record.row });
}

export function deleted(resource: Resource, id: number): Outcome {
  const change: MenuChange = resource === 'items' ? { kind: 'dish-removed', id } : { kind: 'many' };
  return { status: 204, body: null, etag: null, recordId: id, change };
}

function refused(status: number, body: string, recordId: number | null): Outcome {
  return { status, body, etag: null, recordId, change: { kind: 'none' } };
}

export function notFound(id: number | null): Outcome {
  return refused(404, errorBody('Resource not found.'), id);
}

export function invalid(errors: FieldErrors, id: number | null): Outcome {
  return refused(422, invalidBody(errors), id);
}

/** The record is not the one that the client has seen; it gets the present one. */
export function outdated(record: AdminRecord): Outcome {
  const body = errorBody('Precondition Failed', { data: record.data });
  return { ...refused(412, body, record.id), etag: record.etag };
}

/** Nobody knows why the write fails; the operator finds the reason beside this result. */
export function fault(id: number | null): Outcome {
  return refused(500, errorBody('Server Error'), id);
}
