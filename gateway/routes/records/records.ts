import { COLLECTIONS, records, SINGLETONS } from '../../../db/schema/registry.ts';
import type { ApiRoute } from '../services.ts';
import { listRoute } from './list.ts';
import { showRoute } from './show.ts';
import { changeRoute, createRoute, deleteRoute, restoreRoute } from './write.ts';

/** The endpoints that show and change records, the same for each (SPEC, "Admin endpoints"). */
export const recordRoutes: ApiRoute[] = [
  ...COLLECTIONS.flatMap((collection) => [
    ...(records[collection].isUploaded ? [] : [createRoute(collection)]),
    changeRoute(collection, 'PUT'),
    changeRoute(collection, 'PATCH'),
    deleteRoute(collection),
    restoreRoute(collection),
    listRoute(collection),
    showRoute(collection),
  ]),
  ...SINGLETONS.flatMap((resource) => [
    changeRoute(resource, 'PUT'),
    changeRoute(resource, 'PATCH'),
    showRoute(resource),
  ]),
];
