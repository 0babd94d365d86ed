import { constants } from '../../../db/runtime/constants.ts';
import {
  COLLECTIONS,
  type Collection,
  isCollection,
  type Resource,
  SINGLETONS,
} from '../../../db/schema/registry.ts';
import { recordsQuerySchema } from '../../parameters/records.ts';
import { acceptedExample, bodyExample, recordExamples } from '../examples.ts';
import { answer, audienceHeaders, failures } from '../failures.ts';
import { always, type Headers, sometimes } from '../headers.ts';
import { parameter, queryParameters } from '../parameters.ts';
import {
  jsonContent,
  type Operation,
  type PathItem,
  type Paths,
  type Reference,
  type Response,
  responseRef,
} from '../parts.ts';
import { capitalised, RECORD_NAMES } from '../schemas.ts';
import { requireScope } from '../security.ts';

const READ = always(...audienceHeaders('Admin'));
const RESULT = always(...audienceHeaders('Write'), 'X-Job-State');
const TAG = 'Records';
const CONDITIONAL = [parameter('IfMatch'), parameter('IdempotencyKey'), parameter('Prefer')];

const ONES: Record<Resource, string> = {
  categories: 'a section',
  items: 'a dish or wine',
  types: 'a sub-category',
  wineries: 'a winery',
  settings: 'the restaurant’s settings',
  theme: 'the theme',
};

function shown(resource: Resource, description: string, headers: Headers): Response {
  const schema = `Admin${RECORD_NAMES[resource]}Answer`;
  return answer(description, schema, recordExamples(resource).answer, headers);
}

function outdated(resource: Resource): Response {
  return answer(
    'The record is not the one that the client has seen; here it is as it is now.',
    `Outdated${RECORD_NAMES[resource]}`,
    recordExamples(resource).outdated,
    { ...RESULT, ...always('ETag') },
  );
}

/** A write, but for its success. */
function write(resource: Resource, id: string, summary: string, rest: Partial<Operation>) {
  const { responses, ...more } = rest;
  return {
    operationId: `${id}${RECORD_NAMES[resource]}`,
    summary,
    tags: [TAG],
    security: requireScope('menu:write'),
    ...more,
    responses: {
      ...responses,
      202: responseRef('WriteAccepted'),
      ...failures('Write', 413, ...(more.requestBody ? [415] : [])),
    },
  } satisfies Operation;
}

/** The parameter by which records of a collection are told apart. */
function which(resource: Resource): Reference[] {
  return isCollection(resource) ? [parameter('Id')] : [];
}

function change(resource: Resource, id: string): Operation {
  return write(resource, id, `Change ${ONES[resource]}`, {
    description:
      'Changes the fields that are sent and no others. A text in several languages is one field: ' +
      'languages that are not sent with it are removed. What is read as `name_translations` and ' +
      '`description_translations` is written as `name` and `description`. Fields that the resource ' +
      'does not have, and those that are only read, are ignored. PUT and PATCH are the same.',
    parameters: [...which(resource), ...CONDITIONAL],
    requestBody: {
      required: true,
      content: jsonContent(`${RECORD_NAMES[resource]}Change`, bodyExample(resource)),
    },
    responses: {
      200: shown(resource, 'The record as it is now.', { ...RESULT, ...always('ETag') }),
      412: outdated(resource),
    },
  });
}

function show(resource: Resource): Operation {
  return {
    operationId: `show${RECORD_NAMES[resource]}`,
    summary: `Show ${ONES[resource]} as stored`,
    tags: [TAG],
    security: requireScope('menu:read'),
    parameters: [...which(resource), parameter('IfNoneMatch')],
    responses: {
      200: shown(resource, 'The record.', { ...READ, ...always('ETag') }),
      304: responseRef('RecordUnchanged'),
      ...failures('Admin'),
    },
  };
}

function list(resource: Collection): Operation {
  const schema = `Admin${RECORD_NAMES[resource]}List`;
  return {
    operationId: `listStored${capitalised(resource)}`,
    summary: 'List records as stored, inactive ones too',
    tags: [TAG],
    security: requireScope('menu:read'),
    parameters: queryParameters(recordsQuerySchema),
    responses: {
      200: answer('A page of records.', schema, recordExamples(resource).list, READ),
      ...failures('Admin', 414, 422),
    },
  };
}

function create(resource: Collection): Operation {
  return write(resource, 'create', `Create ${ONES[resource]}`, {
    parameters: [parameter('IdempotencyKey'), parameter('Prefer')],
    requestBody: {
      required: true,
      content: jsonContent(`${RECORD_NAMES[resource]}Input`, bodyExample(resource)),
    },
    responses: {
      201: shown(resource, 'The new record, which the menu shows already.', {
        ...RESULT,
        ...always('ETag', 'Location'),
      }),
    },
  });
}

function remove(resource: Collection): Operation {
  return write(resource, 'delete', `Delete ${ONES[resource]}`, {
    description: `It can be restored for ${constants.purgeDays} days. A section takes what is in it along.`,
    parameters: [parameter('Id'), ...CONDITIONAL],
    responses: {
      204: { description: 'It is gone from the menu.', headers: RESULT },
      412: outdated(resource),
    },
  });
}

function restore(resource: Collection): Operation {
  return write(resource, 'restore', `Bring back ${ONES[resource]} that was deleted`, {
    description: 'With everything that was deleted with it. Harmless when it is there.',
    parameters: [parameter('Id'), ...CONDITIONAL],
    responses: {
      200: shown(resource, 'The record.', { ...RESULT, ...always('ETag') }),
      412: outdated(resource),
    },
  });
}

function recordItem(resource: Resource): PathItem {
  return {
    get: show(resource),
    put: change(resource, 'update'),
    patch: change(resource, 'change'),
  };
}

function collectionPaths(resource: Collection): [string, PathItem][] {
  return [
    [`/admin/${resource}`, { get: list(resource), post: create(resource) }],
    [`/admin/${resource}/{id}`, { ...recordItem(resource), delete: remove(resource) }],
    [`/admin/${resource}/{id}/restore`, { post: restore(resource) }],
  ];
}

const job: Operation = {
  operationId: 'getJob',
  summary: 'The result of a write',
  description:
    '202 while it waits; then what the write itself would have been answered with, marked by ' +
    `\`X-Job-State: finished\`. Results are kept for ${constants.resultHours} hours.`,
  tags: [TAG],
  security: requireScope('menu:write'),
  parameters: [parameter('JobId')],
  responses: {
    200: answer('A record was changed.', 'AdminRecordAnswer', recordExamples('items').answer, {
      ...RESULT,
      ...always('ETag'),
    }),
    201: answer('A record was created.', 'AdminRecordAnswer', recordExamples('items').answer, {
      ...RESULT,
      ...always('ETag', 'Location'),
    }),
    202: responseRef('WriteAccepted'),
    204: { description: 'A record was deleted.', headers: RESULT },
    412: answer('A record had changed.', 'OutdatedRecord', recordExamples('items').outdated, {
      ...RESULT,
      ...always('ETag'),
    }),
    ...failures('Write'),
  },
};

/** The answers that operations on records share. */
export function recordResponses(): Record<string, Response> {
  return {
    RecordUnchanged: {
      description: 'The record is as the client has seen it.',
      headers: { ...READ, ...always('ETag') },
    },
    WriteAccepted: answer(
      'The write is kept and will be done; `Location` is where its result is going to be.',
      'WriteAccepted',
      acceptedExample,
      { ...RESULT, ...always('Location', 'Retry-After'), ...sometimes('Preference-Applied') },
    ),
  };
}

/** The endpoints that show and change records (SPEC, "Admin endpoints"). */
export function recordPaths(): Paths {
  return {
    ...Object.fromEntries(COLLECTIONS.flatMap(collectionPaths)),
    ...Object.fromEntries(
      SINGLETONS.map((resource) => [`/admin/${resource}`, recordItem(resource)]),
    ),
    '/admin/jobs/{id}': { get: job },
  };
}
