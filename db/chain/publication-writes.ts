import { createHash } from 'node:crypto';
import type { Follow, Publisher } from '../schema/chain.ts';
import { records } from '../schema/registry.ts';
import { type NewWrite, newWriteId } from '../schema/write.ts';

/** Writes of a master in its branches come from none of their tokens and users. */
const SENDER = 0;

/** A publication of a master's menu. */
interface Asked {
  masterId: number;
  publisher: Publisher;
  isDryRun: boolean;
  /** The client's name for the request; null for none. */
  key: string | null;
}

/** The write by which one branch takes the menu of its master, as that is then. */
export function publicationWrite(
  tenantId: number,
  { masterId, publisher, isDryRun, key }: Asked,
): NewWrite {
  const input = { master_id: masterId, dry_run: isDryRun, publisher };
  return {
    ...{ tenant_id: tenantId, id: newWriteId(), token_id: SENDER, record_id: null },
    ...{ resource: 'menu', action: 'publish', origin: 'chain', input, document: null },
    ...{ expected_tags: null, ignored: [] },
    idempotency_key: key === null ? null : `chain/${masterId}/${publisher.name}/${key}`,
    request_hash: createHash('sha256').update(JSON.stringify(input)).digest(),
  };
}

/**
 * The write by which a master takes fields of a branch's record back: they follow it again.
 *
 * @param formId the form that asks: it is one write however often it is sent
 */
export function giveBackWrite(
  tenantId: number,
  { resource, id, fields }: Pick<Follow, 'resource' | 'id'> & { fields: readonly string[] },
  publisher: Publisher,
  formId: string,
): NewWrite {
  const input = { fields: [...fields], publisher };
  const record_id = records[resource].isSingleton ? null : id;
  const hash = createHash('sha256').update(JSON.stringify(input)).digest();
  return {
    ...{ tenant_id: tenantId, id: newWriteId(), token_id: SENDER, record_id },
    ...{ resource, action: 'follow', origin: 'chain', input, document: null },
    ...{ expected_tags: null, ignored: [] },
    // Other fields of the record are another write: they became the branch's own after the first.
    idempotency_key: `follow/${formId}/${resource}/${id}/${hash.toString('hex')}`,
    request_hash: hash,
  };
}
