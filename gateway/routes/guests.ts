import { dictionaryRoutes } from './dictionaries.ts';
import { eventsRoute } from './events.ts';
import { finishedRoutes } from './finished.ts';
import type { ApiRoute } from './frame/services.ts';
import { categoryRoute, itemRoute, itemsRoute } from './items.ts';
import { streamRoute } from './stream.ts';

/** The endpoints below `/api/v1` that displays use. */
export const guestRoutes: readonly ApiRoute[] = [
  ...finishedRoutes,
  ...[categoryRoute, itemsRoute, itemRoute],
  ...dictionaryRoutes,
  ...[streamRoute, eventsRoute],
];
