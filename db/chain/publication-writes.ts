import { createHash } from 'node:crypto';
import type { Follow, Publisher } from '../schema/chain.ts';
import { records } from '../schema/registry.ts';
import { type NewWrite, newWrite } from '../schema/write.ts';

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
export function publicationWrite(tenantId: number, { masterId, publisher, isDryRun, key }: Asked) {
  const input = { master_id: masterId, dry_run: isDryRun, publisher };
  const idempotency_key = key === null ? null : `chain/${masterId}/${publisher.name}/${key}`;
  return newWrite(
    {
      ...{ tenant_id: tenantId, token_id: SENDER, resource: 'menu', action: 'publish' },
      ...{ origin: 'chain', input, idempotency_key },
    },
    JSON.stringify(input),
  );
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
  const request = JSON.stringify(input);
  const hash = createHash('sha256').update(request).digest('hex');
  return newWrite(
    {
      ...{ tenant_id: tenantId, token_id: SENDER, resource, action: 'follow', record_id },
      ...{ origin: 'chain', input },
      // Other fields of the record are another write: they became the branch's own after the first.
      idempotency_key: `follow/${formId}/${resource}/${id}/${hash}`,
    },
    request,
  );
}
