import { recordKey } from '../../../db/schema/chain.ts';
import { ruleOf } from '../../../db/schema/chain-policy.ts';
import { records } from '../../../db/schema/registry.ts';
import type { Resource } from '../../../db/schema/values/resource.ts';
import { findMaster, loadFollowing } from '../../../db/sql/chains.ts';
import { html } from '../../http/html.ts';
import type { Desk } from '../desk.ts';
import { editableFields } from '../forms/draft.ts';
import { PLACES } from '../navigation.ts';
import { actionForm, onceField } from '../pages/fields.ts';

/**
 * How a record follows its master's, for its form: remarks below the fields that are the house's own,
 * the names of those that the chain decides, and buttons that give own fields back.
 *
 * @param id null for a new record, and for settings and theme
 */
export async function chainOfRecord(
  { db, session, request, say, tenantId }: Desk,
  resource: Resource,
  id: number | null,
) {
  const none = { remarks: {}, locked: new Set<string>(), part: null };
  const record = records[resource];
  const master = session.in_chain ? await findMaster(db, tenantId) : null;
  const ownId = record.isSingleton ? tenantId : id;
  if (!master || ownId === null) return none;
  const { follows, rules } = await loadFollowing(db, tenantId, master.id);
  const follow = follows.get(recordKey(resource, ownId));
  if (!follow) return none;
  const fields = editableFields(record);
  const own = fields.filter(([name]) => name in follow.own_fields);
  const locked = fields.filter(([name]) => ruleOf(rules, resource, name) === 'locked');
  const remarks = Object.fromEntries(own.map(([name]) => [name, say('chain.isOwn')]));
  const forms = own.map(([field, { options }]) => {
    const inner = html`${onceField()}<input type="hidden" name="resource" value="${resource}"><input type="hidden" name="id" value="${ownId}"><input type="hidden" name="field" value="${field}"><button class="button">${say(options.label)}: ${say('chain.giveBack')}</button>`;
    return actionForm(request, PLACES.chain.path, 'give-back', inner);
  });
  const part =
    own.length > 0 &&
    html`<section class="card part"><h2>${say('places.chain')}</h2><p class="hint">${say('chain.ownHint', { name: master.name })}</p><div class="row">${forms}</div></section>`;
  // One group answers for both.
  const names = locked.map(([name]) => (name === 'traces' ? 'allergens' : name));
  return { remarks, locked: new Set(names), part };
}
