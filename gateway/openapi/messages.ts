import type * as v from 'valibot';
import { webhookMessages } from '../../db/schema/webhook-message.ts';
import { jsonContent } from './parts.ts';

/** `item.availability` is described by `ItemAvailabilityMessage`. */
function schemaName(event: string): string {
  const words = event.split('.').map((word) => word.slice(0, 1).toUpperCase() + word.slice(1));
  return `${words.join('')}Message`;
}

/** The schemas of the messages that webhooks send, by their names. */
export const messageSchemas: Record<string, v.GenericSchema> = Object.fromEntries(
  Object.entries(webhookMessages).map(([event, { schema }]) => [schemaName(event), schema]),
);

const header = (name: string, description: string) => ({
  ...{ name, in: 'header', required: true, description, schema: { type: 'string' } },
});
/** Those of Standard Webhooks. */
const HEADERS = [
  header('webhook-id', 'Names the message; each further attempt has the same.'),
  header('webhook-timestamp', 'When it was sent, in seconds since 1970.'),
  header('webhook-signature', 'Its signatures, with blanks between them.'),
];

/** The document's `webhooks`: what Lavagna sends to receivers, by event. */
export function describeMessages() {
  const told = Object.entries(webhookMessages).map(([event, { summary, example }]) => {
    const name = schemaName(event);
    const post = {
      operationId: `receive${name}`,
      summary,
      tags: ['Webhooks'],
      // The receiver knows the message by its signature.
      security: [],
      parameters: HEADERS,
      requestBody: { required: true, content: jsonContent(name, example) },
      responses: {
        '2XX': { description: 'The receiver has taken the message.' },
        default: { description: 'It comes again after a pause.' },
      },
    };
    return [event, { post }] as const;
  });
  return Object.fromEntries(told);
}
