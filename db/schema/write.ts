import { createHash, randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { bulkOutcomeSchema, conflictSchema } from './bulk.ts';
import { publishedOutcomeSchema } from './chain.ts';
import { type Action, actionSchema } from './registry.ts';
import { tableSchema } from './table.ts';
import { described } from './validation/described-as.ts';
import { fieldErrorsSchema } from './validation/rule.ts';
import { type Resource, resourceSchema } from './values/resource.ts';

/** The message about a change, and the write that can be taken back. */
export const panelChangeSchema = v.object({
  said: v.object({
    /** Names the text. */
    text: v.string(),
    values: v.record(v.string(), v.union([v.string(), v.number()])),
    /** Whether the text is about something that went wrong. */
    is_bad: v.boolean(),
    /** Path of the page on which it is said. */
    path: v.string(),
  }),
  /** Null when it cannot be taken back, or was made before an upgrade. */
  undo: v.fallback(v.nullable(v.object({ write: v.string() })), null),
});
export type PanelChange = v.InferOutput<typeof panelChangeSchema>;

const writtenSchema = v.picklist([...resourceSchema.options, 'menu']);

/** A client's request to write; only its shape is checked. */
export const writeSchema = v.object({
  tenant_id: v.number(),
  /** Who writes: a token's id, the id of a user of the panel below zero, or 0 for an operator. */
  token_id: v.number(),
  /** A UUIDv7: those of one gateway stand in the order in which it took them. */
  id: v.string(),
  /** `menu`: many records, or a whole menu. */
  resource: writtenSchema,
  action: v.picklist([
    ...actionSchema.options,
    ...(['bulk', 'import', 'undo', 'release', 'publish'] as const),
  ]),
  /** Null for settings, theme and what does not exist yet. */
  record_id: v.nullable(v.number()),
  /** The external id that names the record instead, as it is when the write is done. */
  record_key: v.optional(v.nullable(v.string())),
  input: v.record(v.string(), v.unknown()),
  /** The way by which it came, where the rest does not say it. */
  origin: v.optional(v.nullable(v.picklist(['mcp', 'chain']))),
  /** The person who has checked the allergens that it changes. */
  confirmed_by: v.optional(v.nullable(v.string())),
  /**
   * The entity tags of states that the client has seen, `*` for any state, or null when the write has
   * no condition. A write whose record has none of them is not done.
   */
  expected_tags: v.nullable(v.array(v.string())),
});
export type Write = v.InferOutput<typeof writeSchema>;

export type RecordWrite = Write & { resource: Resource; action: Action };

export function isRecordWrite(write: Write): write is RecordWrite {
  return write.resource !== 'menu';
}

/**
 * Whether a write takes long: a whole menu, a way back, a record that may bring many along, or one that
 * looks at another menu.
 */
export function isSlow({ resource, action }: Pick<Write, 'resource' | 'action'>): boolean {
  return resource === 'menu' || action === 'restore' || action === 'follow';
}

let lastIdAt = 0;
let idsOfMoment = 0;
const MAX_IDS_OF_MOMENT = 0xfff;

/** A new UUIDv7 (RFC 9562, method 1): those of a process stand in the order in which it made them. */
export function newWriteId(): string {
  const now = Date.now();
  if (now <= lastIdAt && idsOfMoment < MAX_IDS_OF_MOMENT) {
    idsOfMoment += 1;
  } else {
    lastIdAt = Math.max(now, lastIdAt + 1);
    idsOfMoment = 0;
  }
  const time = lastIdAt.toString(16).padStart(12, '0');
  const count = idsOfMoment.toString(16).padStart(3, '0');
  // Node asks the system once for the random bytes of many.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count}-${randomUUID().slice(19)}`;
}

/** When a gateway took a write: it stands in the UUIDv7. */
export function sentAt({ id }: Pick<Write, 'id'>): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}

/** A write on its way into the queue. */
export interface NewWrite extends Write {
  idempotency_key: string | null;
  /** SHA-256 of what was requested. */
  request_hash: Buffer;
  /** Paths of fields that were sent and have no meaning. */
  ignored: readonly string[];
  /** The body of a `bulk` or an `import` as it was sent. */
  document: Buffer | null;
}

export type AskedWrite = Pick<NewWrite, 'resource' | 'action'> &
  Partial<Pick<NewWrite, 'record_id' | 'input' | 'expected_tags' | 'document'>>;

type Asked = Pick<NewWrite, 'tenant_id' | 'token_id'> & AskedWrite & Partial<NewWrite>;

/**
 * A write, with no record, condition, document or key where none is given.
 *
 * @param request its hash tells whether another one under the same key is the same
 */
export function newWrite(asked: Asked, ...request: readonly (string | Buffer)[]): NewWrite {
  const hash = createHash('sha256');
  for (const part of request) hash.update(part);
  return {
    ...{ id: newWriteId(), record_id: null, input: {}, expected_tags: null, document: null },
    ...{ idempotency_key: null, ignored: [], request_hash: hash.digest(), ...asked },
  };
}

/** Whether a state is one of those that a write expects. */
export function isExpected({ expected_tags: tags }: Write, etag: string): boolean {
  return tags === null || tags.includes('*') || tags.includes(etag);
}

/**
 * An Idempotency-Key: visible ASCII characters, and spaces between them. Others are refused where we
 * see them: the HTTP library cuts them off the ends of a header, and keys that differ only there are
 * one (DESIGN, "What the HTTP library answers before our code").
 */
export const IDEMPOTENCY_KEY = /^[!-~]([ -~]*[!-~])?$/;

/** The record as the admin API shows it, and the name of this state of it. */
const shown = { record: v.record(v.string(), v.unknown()), etag: v.string() };

/** The result of a write. Only the gateway knows the answer that a client gets for it. */
const outcomeSchema = v.variant('kind', [
  v.object({
    kind: v.picklist(['created', 'changed', 'unchanged', 'restored']),
    ...shown,
    /** Fields that were sent and changed nothing. */
    ignored: v.optional(v.array(v.string())),
    /** When that was, in the form of the envelope's `generated_at`. */
    at: v.string(),
  }),
  /** The record is not the one that the client has seen. This is how it is now. */
  v.object({ kind: v.literal('outdated'), ...shown }),
  /** `gone`: the version that it names is older than what is kept. */
  v.object({ kind: v.picklist(['deleted', 'missing', 'gone', 'failed']) }),
  /** The menu is not in the version that the client has seen. */
  v.object({ kind: v.literal('outdated_menu') }),
  bulkOutcomeSchema,
  publishedOutcomeSchema,
  /** Nothing was done: these fields have been changed since. */
  v.object({ kind: v.literal('conflict'), conflicts: v.array(conflictSchema) }),
  v.object({
    kind: v.literal('invalid'),
    errors: fieldErrorsSchema,
    /** How a table was read that is wrong as a whole, and whether it was only tried. */
    table: v.optional(tableSchema),
    dry_run: v.optional(v.boolean()),
  }),
]);
export type WriteOutcome = v.InferOutput<typeof outcomeSchema>;

export const writeResultSchema = v.object({
  id: v.string(),
  resource: writtenSchema,
  record_id: v.nullable(v.number()),
  outcome: outcomeSchema,
  /** The version of the tenant that shows it. */
  version: v.number(),
});
export type WriteResult = v.InferOutput<typeof writeResultSchema>;

/** A write that is kept and will be done. */
export const acceptedWriteSchema = v.object({
  id: v.pipe(v.string(), v.uuid(), v.description('The job that will have the result.')),
  state: described(v.literal('waiting'), 'Whether the write is done.'),
});
export type AcceptedWrite = v.InferOutput<typeof acceptedWriteSchema>;
