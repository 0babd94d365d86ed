import { constants } from '../../../db/runtime/constants.ts';
import { type ReportName, reportSchemas } from '../../analytics/reports/report-schemas.ts';
import { reportQuerySchema } from '../../parameters/report.ts';
import { eventsAcceptedExample, eventsExample } from '../examples.ts';
import { answer, audienceHeaders, failures } from '../failures.ts';
import { always } from '../headers.ts';
import { queryParameters } from '../parameters.ts';
import { JSON_TYPE, type Operation, type PathItem, type Paths, schemaRef } from '../parts.ts';
import { reportExamples } from '../report-examples.ts';
import { reportAnswerName } from '../schemas.ts';
import { requireScope } from '../security.ts';

const SUMMARIES: Record<ReportName, string> = {
  overview: 'Totals by day, hour and language, against the period before',
  items: 'Which dishes guests opened, and which nobody did',
  sections: 'Which sections guests opened, and which nobody did',
  allergens: 'Which allergens guests filtered out',
  insights: 'What is worth knowing, in plain words',
};

function report(name: ReportName): Operation {
  const schema = reportAnswerName(name);
  return {
    operationId: `get${schema}`,
    summary: SUMMARIES[name],
    tags: ['Analytics'],
    security: requireScope('analytics:read'),
    parameters: queryParameters(reportQuerySchema),
    responses: {
      200: answer('The report.', schema, reportExamples[name], always(...audienceHeaders('Admin'))),
      ...failures('Admin', 414, 422),
    },
  };
}

const body = { schema: schemaRef('EventBody'), example: eventsExample };

const intake: Operation = {
  operationId: 'sendEvents',
  summary: 'Tell what guests looked at',
  description:
    `One event, a list, or a list in \`events\`; at most ${constants.maxEventsPerRequest}. A 202 means ` +
    'that they are committed. An event with an `id` counts once, however often it is sent. ' +
    'Beacons may send JSON as plain text.',
  tags: ['Analytics'],
  security: [],
  requestBody: { required: true, content: { [JSON_TYPE]: body, 'text/plain': body } },
  responses: {
    202: answer(
      'The events are kept.',
      'EventsAccepted',
      eventsAcceptedExample,
      always(...audienceHeaders('Public')),
    ),
    ...failures('Public', 413, 415, 422),
  },
};

/** Events and the reports on them. */
export function analyticsPaths(): Paths {
  const names = Object.keys(reportSchemas) as ReportName[];
  return {
    ...Object.fromEntries(
      names.map((name): [string, PathItem] => [`/admin/analytics/${name}`, { get: report(name) }]),
    ),
    '/analytics/events': { post: intake },
  };
}
