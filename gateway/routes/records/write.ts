import { constants } from '../../../db/runtime/constants.ts';
import { areAvailabilityFields } from '../../../db/schema/availability.ts';
import { pathOf, records } from '../../../db/schema/registry.ts';
import { grants, type Scope } from '../../../db/schema/token.ts';
import type { Collection, Resource } from '../../../db/schema/values/resource.ts';
import type { StoredToken } from '../../../db/sql/tokens.ts';
import { ForbiddenError } from '../../http/errors.ts';
import type { Description } from '../../openapi/description.ts';
import type { ParameterName } from '../../openapi/parameters.ts';
import { bodyExample } from '../../openapi/schemas.ts';
import type { ApiRoute } from '../services.ts';
import { outdatedAnswer, RESULT, WRITE_ACCEPTED, writtenAnswer } from './answers.ts';
import { isAsync, readerOf, readWrite, type WriteTarget } from './read-write.ts';

const CONDITIONAL: readonly ParameterName[] = ['IfMatch', 'IdempotencyKey', 'Prefer'];

/** A token for what is available may say until when a dish is sold out and why, and nothing else. */
function permitAvailability({ scopes }: StoredToken, fields: readonly string[]): void {
  if (!areAvailabilityFields(fields) && !grants(scopes, 'menu:write')) throw new ForbiddenError();
}

/** An endpoint that changes something: it hands a write to the queue and tells what it came to. */
function writeRoute(
  target: WriteTarget,
  { answers, ...description }: Omit<Description, 'tag' | 'refusals'>,
  scope: Scope = 'menu:write',
): ApiRoute {
  return {
    kind: 'guarded',
    method: target.method,
    path: `/admin${target.path}`,
    limiter: 'admin',
    scope,
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
  };
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
  const permit = isDish ? permitAvailability : undefined;
  return writeRoute(
    { method, path, resource, action: 'change', schema, ...(permit && { permit }) },
    {
      id: `${method === 'PUT' ? 'update' : 'change'}${name}`,
      summary: `${method === 'PUT' ? 'Update' : 'Change'} ${one}`,
      details:
        'Changes the fields that are sent and no others. A text in several languages is one field: ' +
        'languages that are not sent with it are removed. To change `name_translations` and ' +
        '`description_translations`, send `name` and `description`. Fields that the resource ' +
        'does not have, and those that are only read, are ignored. PUT and PATCH are the same.' +
        (isDish
          ? ' With the scope `availability:write` alone, only `sold_out_until` and `sold_out_note` may be sent.'
          : ''),
      parameters: isSingleton ? CONDITIONAL : ['RecordId', ...CONDITIONAL],
      body: { name: `${name}Change`, schema, example: bodyExample(resource) },
      answers: {
        200: writtenAnswer(resource, 'The record as it is now.'),
        412: outdatedAnswer(resource),
      },
    },
    isDish ? 'availability:write' : 'menu:write',
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
