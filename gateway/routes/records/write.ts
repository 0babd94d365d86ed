import { constants } from '../../../db/runtime/constants.ts';
import { areAvailabilityFields } from '../../../db/schema/availability.ts';
import { giveBackInput } from '../../../db/schema/chain.ts';
import { pathOf, records } from '../../../db/schema/registry.ts';
import { grants, type Scope } from '../../../db/schema/token.ts';
import type { Collection, Resource } from '../../../db/schema/values/resource.ts';
import type { StoredToken } from '../../../db/sql/tokens.ts';
import { ForbiddenError } from '../../http/errors.ts';
import type { Description } from '../../openapi/description.ts';
import type { ParameterName } from '../../openapi/parameters.ts';
import { bodyExample } from '../../openapi/schemas.ts';
import { guarded } from '../frame/endpoints.ts';
import type { ApiRoute } from '../frame/services.ts';
import { outdatedAnswer, RESULT, WRITE_ACCEPTED, writtenAnswer } from './answers.ts';
import { isAsync, readerOf, readWrite, type WriteTarget } from './read-write.ts';

const CONDITIONAL: readonly ParameterName[] = ['IfMatch', 'IdempotencyKey', 'Prefer'];

/**
 * A token for what is available may say until when a dish is sold out and why, and one for prices may
 * change prices, and nothing else.
 */
function permitPart({ scopes }: StoredToken, fields: readonly string[]): boolean {
  if (grants(scopes, 'menu:write')) return false;
  if (areAvailabilityFields(fields) && grants(scopes, 'availability:write')) return false;
  if (!grants(scopes, 'prices:write')) throw new ForbiddenError();
  return true;
}

/** An endpoint that changes something: it hands a write to the queue and tells what it came to. */
function writeRoute(
  target: WriteTarget,
  { answers, ...description }: Omit<Description, 'tag' | 'refusals'>,
  scope: Scope = 'menu:write',
  orScope?: Scope,
): ApiRoute {
  return guarded(target.method, `/admin${target.path}`, scope, {
    ...(orScope && { orScope }),
    description: {
      ...description,
      tag: 'Records',
      answers: { ...answers, 202: WRITE_ACCEPTED },
      refusals: description.body ? [413, 415] : [413],
    },
    call: async (context, { writes }) => {
      const write = await readWrite(target, context);
      // A change of nothing only reads the record.
      const isRead = write.action === 'change' && Object.keys(write.input).length === 0;
      if (isRead && !context.token.scopes.includes('menu:read')) throw new ForbiddenError();
      return writes.perform(write, readerOf(context), isAsync(context));
    },
  });
}

export function createRoute(resource: Collection): ApiRoute {
  const { schema: name, one, input: schema } = records[resource];
  return writeRoute(
    { method: 'POST', path: `/${pathOf(resource)}`, resource, action: 'create', schema },
    {
      id: `create${name}`,
      summary: `Create ${one}`,
      parameters: ['IdempotencyKey', 'Prefer'],
      body: { name: `${name}Input`, schema, example: bodyExample(resource) },
      answers: {
        201: {
          ...writtenAnswer(resource, 'The new record, which the menu shows already.'),
          headers: [...RESULT, 'ETag', 'Location'],
        },
      },
    },
  );
}

export function changeRoute(resource: Resource, method: 'PUT' | 'PATCH'): ApiRoute {
  const { schema: name, one, change: schema, isSingleton } = records[resource];
  const path = isSingleton ? `/${pathOf(resource)}` : `/${pathOf(resource)}/:id`;
  const isDish = resource === 'items';
  const hasPrices = isDish || resource === 'modifier_groups';
  const permit = hasPrices ? permitPart : undefined;
  const action = method === 'PATCH' ? 'merge' : 'change';
  return writeRoute(
    { method, path, resource, action, schema, ...(permit && { permit }) },
    {
      id: `${method === 'PUT' ? 'update' : 'change'}${name}`,
      summary: `${method === 'PUT' ? 'Update' : 'Change'} ${one}`,
      details:
        'Changes the fields that are sent and no others. ' +
        (method === 'PUT'
          ? 'A text in several languages is one field: languages that are not sent with it are removed. '
          : 'Languages of a text that are not sent stay; null removes one. Sizes and options that are sent with ' +
            'their `external_id` and without `label` change, and the others stay. ') +
        'To change `name_translations` and ' +
        '`description_translations`, send `name` and `description`. Fields that the resource ' +
        'does not have, and those that are only read, are ignored.' +
        (isDish
          ? ' With the scope `availability:write` alone, only `sold_out_until` and `sold_out_note` may be sent.'
          : '') +
        (hasPrices ? ' With the scope `prices:write` alone, only prices may change.' : ''),
      parameters: isSingleton ? CONDITIONAL : ['RecordId', ...CONDITIONAL],
      body: { name: `${name}Change`, schema, example: bodyExample(resource) },
      answers: {
        200: writtenAnswer(resource, 'The record as it is now.'),
        412: outdatedAnswer(resource),
      },
    },
    isDish ? 'availability:write' : 'menu:write',
    hasPrices ? 'prices:write' : undefined,
  );
}

export function deleteRoute(resource: Collection): ApiRoute {
  const { schema: name, one } = records[resource];
  return writeRoute(
    { method: 'DELETE', path: `/${pathOf(resource)}/:id`, resource, action: 'delete' },
    {
      id: `delete${name}`,
      summary: `Delete ${one}`,
      details: `It can be restored for ${constants.purgeDays} days. A section takes what is in it along.`,
      parameters: ['RecordId', ...CONDITIONAL],
      answers: {
        204: { description: 'It is gone from the menu.', headers: RESULT },
        412: outdatedAnswer(resource),
      },
    },
  );
}

export function restoreRoute(resource: Collection): ApiRoute {
  const { schema: name, one } = records[resource];
  return writeRoute(
    { method: 'POST', path: `/${pathOf(resource)}/:id/restore`, resource, action: 'restore' },
    {
      id: `restore${name}`,
      summary: `Bring back ${one} that was deleted`,
      details: 'With everything that was deleted with it. Harmless when it is there.',
      parameters: ['RecordId', ...CONDITIONAL],
      answers: {
        200: writtenAnswer(resource, 'The record.'),
        412: outdatedAnswer(resource),
      },
    },
  );
}

export function followRoute(resource: Resource): ApiRoute {
  const { schema: name, one, isSingleton } = records[resource];
  const path = isSingleton ? `/${pathOf(resource)}/follow` : `/${pathOf(resource)}/:id/follow`;
  return writeRoute(
    { method: 'POST', path, resource, action: 'follow', schema: giveBackInput },
    {
      id: `follow${name}`,
      summary: `Give fields of ${one} back to the master of the chain`,
      details:
        'They have the master’s present values, and follow them from then on. Without `fields` all that ' +
        'the branch has made its own.',
      parameters: isSingleton ? CONDITIONAL : ['RecordId', ...CONDITIONAL],
      body: { name: 'GiveBackBody', schema: giveBackInput, example: { fields: ['description'] } },
      answers: {
        200: writtenAnswer(resource, 'The record as it is now.'),
        412: outdatedAnswer(resource),
      },
    },
  );
}
