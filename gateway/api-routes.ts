import type { Admin } from './admin/admin.ts';
import type { Analytics } from './analytics/analytics.ts';
import type { Route } from './pipeline/route.ts';
import { createAllergensRoute } from './public/allergens.ts';
import { createByIdRoutes } from './public/by-id.ts';
import { createDocumentRoute } from './public/document.ts';
import { categoriesRoute, menuRoute, restaurantRoute, themeRoute } from './public/finished.ts';
import { createItemsRoute } from './public/items.ts';
import type { DerivedAnswers } from './snapshots/derived-answers.ts';

/** What the routes of the API are made with. */
export interface ApiParts {
  answers: DerivedAnswers;
  admin: Pick<Admin, 'routes'>;
  analytics: Pick<Analytics, 'routes'>;
}

/** The route table: every endpoint below `/api/v1`, and what `gateway/openapi` describes. */
export function createApiRoutes({ answers, admin, analytics }: ApiParts): Route[] {
  return [
    // The endpoints that need no token (SPEC, "Public endpoints").
    menuRoute,
    restaurantRoute,
    themeRoute,
    categoriesRoute,
    ...createByIdRoutes(answers),
    createItemsRoute(answers),
    createAllergensRoute(answers),
    createDocumentRoute(),
    ...admin.routes,
    ...analytics.routes,
  ];
}
