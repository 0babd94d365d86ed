import { categoriesRoute, categoryRoute } from './categories.ts';
import { dictionaryRoutes } from './dictionaries.ts';
import { documentRoute } from './document.ts';
import { eventsRoute } from './events.ts';
import { itemRoute, itemsRoute } from './items.ts';
import { jobRoute } from './jobs.ts';
import { menuRoute } from './menu.ts';
import { recordRoutes } from './records/records.ts';
import { reportRoutes } from './reports.ts';
import { restaurantRoute } from './restaurant.ts';
import type { ApiRoute } from './services.ts';
import { streamRoute } from './stream.ts';
import { themeRoute } from './theme.ts';
import { bulkRoute } from './whole-menu/bulk.ts';
import { exportRoute } from './whole-menu/export.ts';
import { importRoute } from './whole-menu/import.ts';

/** Every endpoint below `/api/v1`. */
export const routes: readonly ApiRoute[] = [
  menuRoute,
  categoriesRoute,
  categoryRoute,
  itemsRoute,
  itemRoute,
  restaurantRoute,
  themeRoute,
  ...dictionaryRoutes,
  streamRoute,
  documentRoute,
  ...recordRoutes,
  bulkRoute,
  exportRoute,
  importRoute,
  jobRoute,
  ...reportRoutes,
  eventsRoute,
];
