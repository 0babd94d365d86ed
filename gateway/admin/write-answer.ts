import { successBody } from '../../db/schema/envelope.ts';
import { isCollection } from '../../db/schema/resource.ts';
import type { AcceptedWrite, WriteResult } from '../../db/schema/write.ts';
import { type Answer, createAnswer, JSON_TYPE, jsonAnswer } from '../http/answer.ts';
import { ADMIN_PREFIX } from '../pipeline/route.ts';

const STATUS_LINES: Record<number, string> = {
  200: '200 OK',
  201: '201 Created',
  204: '204 No Content',
  404: '404 Not Found',
  412: '412 Precondition Failed',
  422: '422 Unprocessable Content',
  500: '500 Internal Server Error',
};

/** Tells a write's own result from an answer about the request for it. */
const JOB_STATE = 'X-Job-State';

/** What a finished write is answered with, at once or when its result is fetched later. */
export function resultAnswer(result: WriteResult): Answer {
  const { status, body, etag, resource, record_id } = result;
  const line = STATUS_LINES[status];
  if (line === undefined) throw new Error(`a write ended with the status ${status}`);
  const headers = {
    [JOB_STATE]: 'finished',
    ...(body !== null && { 'Content-Type': JSON_TYPE }),
    ...(etag !== null && { ETag: etag }),
    ...(status === 201 &&
      isCollection(resource) && { Location: `${ADMIN_PREFIX}/${resource}/${record_id}` }),
  };
  return createAnswer(line, 'no-store', headers, body === null ? null : Buffer.from(body));
}

/** A write that is kept and will be done: where its result is going to be found. */
export function acceptedAnswer(id: string, headers: Record<string, string> = {}): Answer {
  const accepted: AcceptedWrite = { id, state: 'waiting' };
  return jsonAnswer('202 Accepted', successBody(accepted), {
    [JOB_STATE]: 'waiting',
    Location: `${ADMIN_PREFIX}/jobs/${id}`,
    'Retry-After': '1',
    ...headers,
  });
}
