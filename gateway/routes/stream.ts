import { constants } from '../../db/runtime/constants.ts';
import { streamAnswer } from '../http/answer.ts';
import type { ApiRoute } from './frame/services.ts';

const EXAMPLE = `retry: 4711

id: 8c1f2a90d3e4-42
event: version
data: {"version":42,"generated_at":"2026-01-15T11:58:12+00:00"}

`;

/**
 * `GET /stream`: tells a display of every version of its menu, the present one first, for as long as
 * the display holds the answer open.
 */
export const streamRoute: ApiRoute = {
  kind: 'call',
  method: 'GET',
  path: '/stream',
  limiter: 'public',
  description: {
    id: 'followMenu',
    tag: 'Menu',
    summary: 'Tells of new versions of the menu',
    details:
      'Server-Sent Events: `version` when the stream begins and at every change; its data has ' +
      '`version` and `generated_at`, as in `meta` of all answers about the version. The ' +
      `stream has a comment every ${constants.streamCommentInterval / 1_000} seconds and ends after ` +
      `${constants.minStreamAge / 60_000} to ${constants.maxStreamAge / 60_000} minutes: open it ` +
      'again after the time that `retry` names. It costs one request of the limit. A display that ' +
      'cannot hold a stream polls `/menu` instead.',
    parameters: ['LastEventId'],
    answers: {
      200: {
        description: 'Events, one after the other, until either side ends the stream.',
        content: {
          'text/event-stream': { schema: { type: 'string' }, example: EXAMPLE },
        },
        headers: ['X-Accel-Buffering'],
      },
    },
  },
  call: async ({ method, tenant, client, headers }, { liveMenus }) => {
    const open = await liveMenus.begin(tenant, client, headers.get('last-event-id') ?? '');
    return streamAnswer(method, open);
  },
};
