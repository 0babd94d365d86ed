import { bounds } from '../../db/bounds.ts';
import { NotFoundError, UnavailableError } from '../errors.ts';
import type { SnapshotStore } from '../snapshots/store.ts';
import type { AdminRoute } from './admin-route.ts';
import { createDeadline } from './deadline.ts';
import type { Results } from './results.ts';
import { acceptedAnswer, resultAnswer } from './write-answer.ts';

const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/**
 * `GET /admin/jobs/{id}`: 202 while the write waits; then what its own request would have been
 * answered with, marked by `X-Job-State: finished`.
 */
export function createJobRoute(
  results: Results,
  store: Pick<SnapshotStore, 'whenServed'>,
): AdminRoute {
  return {
    method: 'GET',
    path: '/jobs/:id',
    scope: 'menu:write',
    call: async ({ tenant, param }) => {
      if (!UUID.test(param)) throw new NotFoundError();
      const id = param.toLowerCase();
      const write = await results.find({ tenantId: tenant.id, id }).catch((cause) => {
        throw new UnavailableError('could not look up a job', { cause });
      });
      if (!write) throw new NotFoundError();
      if (!write.result) return acceptedAnswer(id);
      const deadline = createDeadline(bounds.writeWait);
      const served = await deadline.within(store.whenServed(tenant.slug, write.result.version));
      deadline.clear();
      return served === null ? acceptedAnswer(id) : resultAnswer(write.result);
    },
  };
}
