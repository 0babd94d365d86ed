import * as v from 'valibot';
import { constants } from '../../db/runtime/constants.ts';
import { createEventSchema } from '../../db/schema/event.ts';
import { described, describedReference } from '../../db/schema/validation/described-as.ts';
import { integerSchema } from '../../db/schema/values/record-id.ts';
import { type Answer, errorAnswer } from '../http/answer.ts';
import { dataAnswer, successJson } from './frame/endpoints.ts';
import type { ApiRoute } from './frame/services.ts';

const { maxEventsPerRequest } = constants;
const event = createEventSchema(Date.now);
const eventList = v.pipe(v.array(event), v.minLength(1), v.maxLength(maxEventsPerRequest));
const accepted = described(integerSchema, 'Number of events that are kept.');

const SECOND = 1_000;

/** @param until and `now` in ms since 1970 */
function tooManyEvents(until: number, now: number): Answer {
  return errorAnswer('429 Too Many Requests', 'Too Many Attempts.', {
    'Retry-After': String(Math.ceil((until - now) / SECOND)),
    'X-RateLimit-Reset': String(until / SECOND),
  });
}

/** `POST /analytics/events` (SPEC, "Analytics events intake"). */
export const eventsRoute: ApiRoute = {
  kind: 'call',
  method: 'POST',
  path: '/analytics/events',
  limiter: 'analytics',
  description: {
    id: 'sendEvents',
    tag: 'Analytics',
    summary: 'Tell what guests looked at',
    details:
      `One event, a list, or a list in \`events\`; at most ${maxEventsPerRequest}. A 202 means ` +
      'that they are committed. An event with an `id` counts once, however often it is sent. ' +
      'Beacons may send JSON as plain text.',
    body: {
      name: 'EventBody',
      schema: v.union([
        event,
        eventList,
        v.object({ events: describedReference(eventList, 'The events.') }),
      ]),
      parts: { Event: event, EventList: eventList },
      types: ['text/plain'],
      example: {
        events: [
          { type: 'menu_view', locale: 'it', visitor_id: 'tavolo 7' },
          { type: 'item_view', item_id: 7, id: 'e1f0c2' },
          { type: 'search', query: 'Carbonara', results: 0 },
        ],
      },
    },
    answers: {
      202: {
        description: 'The events are kept.',
        json: successJson('EventsAccepted', v.object({ accepted }), { accepted: 3 }),
      },
    },
    refusals: [413, 415, 422],
  },
  call: async (context, { events, now }) => {
    const taken = await events.take(context);
    if ('refusedUntil' in taken) return tooManyEvents(taken.refusedUntil, now());
    const { accepted, ignored } = taken;
    return dataAnswer({ accepted }, ignored, { status: '202 Accepted' });
  },
};
