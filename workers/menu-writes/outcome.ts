import type { AdminRecord } from '../../db/records/admin-record.ts';
import { errorBody, invalidBody, successBody } from '../../db/records/envelope.ts';
import type { FieldErrors } from '../../db/validation/messages.ts';

/** What a write came to. */
export interface Outcome {
  status: number;
  /** Finished JSON; null where the status allows no body. */
  body: string | null;
  etag: string | null;
  recordId: number | null;
  /** Whether the menu is another one now. */
  changed: boolean;
}

/** The write was done, or found everything as it should be. */
export function done(status: 200 | 201, record: AdminRecord, changed = true): Outcome {
  const { id, etag, data } = record;
  return { status, body: successBody(data), etag, recordId: id, changed };
}

export function deleted(id: number): Outcome {
  return { status: 204, body: null, etag: null, recordId: id, changed: true };
}

function refused(status: number, body: string, recordId: number | null): Outcome {
  return { status, body, etag: null, recordId, changed: false };
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
