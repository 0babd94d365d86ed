import { followMaster, leaveMaster, masterInput } from '../../db/actions/chains.ts';
import { GONE, ok, type PlatformOperation, taking } from './operation.ts';

const scope = 'restaurants:write';

/** Restaurants that follow the menu of another one. */
export const chainOperations: PlatformOperation[] = [
  taking({
    ...{ method: 'PUT', path: '/restaurants/:slug/master', id: 'followMaster', scope },
    summary: 'Let a restaurant follow the menu of another one, as a branch of its chain',
    body: masterInput,
    run: async ({ db, params: [slug = ''], input }) => ok(await followMaster(db, slug, input)),
  }),
  {
    ...{ method: 'DELETE', path: '/restaurants/:slug/master', id: 'leaveMaster', scope },
    summary: 'Let a branch follow no more; it keeps its menu',
    run: async ({ db, params: [slug = ''] }) => {
      await leaveMaster(db, slug);
      return GONE;
    },
  },
];
