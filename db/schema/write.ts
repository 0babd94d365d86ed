import * as v from 'valibot';
import { actionSchema, resourceSchema } from './resource.ts';

/** What a client asked to be written, checked as far as its shape goes. */
export const writeSchema = v.object({
  tenant_id: v.number(),
  /** A UUIDv7: those of one gateway stand in the order in which it took them. */
  id: v.string(),
  resource: resourceSchema,
  action: actionSchema,
  /** Null for settings, theme and what does not exist yet. */
  record_id: v.nullable(v.number()),
  input: v.record(v.string(), v.unknown()),
  if_match: v.nullable(v.string()),
});
export type Write = v.InferOutput<typeof writeSchema>;

/** A write on its way into the queue. */
export interface NewWrite extends Write {
  token_id: number;
  idempotency_key: string | null;
  /** SHA-256 of what was requested. */
  request_hash: Buffer;
}

/**
 * An Idempotency-Key: visible ASCII characters, and spaces between them. Others are refused where we
 * see them: the HTTP library cuts them off the ends of a header, and keys that differ only there are
 * one (DESIGN, "What the HTTP library answers by itself").
 */
export const IDEMPOTENCY_KEY = /^[!-~]([ -~]*[!-~])?$/;

/** How a write ended: what its client is answered, whenever it asks. */
export const writeResultSchema = v.object({
  id: v.string(),
  resource: resourceSchema,
  record_id: v.nullable(v.number()),
  status: v.number(),
  /** Finished JSON; null where the status allows no body. */
  body: v.nullable(v.string()),
  etag: v.nullable(v.string()),
  /** The version of the tenant that shows it. */
  version: v.number(),
});
export type WriteResult = v.InferOutput<typeof writeResultSchema>;

/** A write that is kept and will be done. */
export const acceptedWriteSchema = v.object({
  id: v.pipe(v.string(), v.uuid()),
  state: v.literal('waiting'),
});
export type AcceptedWrite = v.InferOutput<typeof acceptedWriteSchema>;
