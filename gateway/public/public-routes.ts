import type { ReadRoute } from '../routing/route.ts';
import type { DerivedAnswers } from '../snapshots/derived-answers.ts';
import { createAllergensRoute } from './allergens.ts';
import { createByIdRoutes } from './by-id.ts';
import { categoriesRoute, menuRoute, restaurantRoute, themeRoute } from './finished.ts';
import { createItemsRoute } from './items.ts';

/** The public endpoints that need no token (SPEC, "Public endpoints"). */
export function createPublicRoutes(answers: DerivedAnswers): ReadRoute[] {
  return [
    menuRoute,
    restaurantRoute,
    themeRoute,
    categoriesRoute,
    ...createByIdRoutes(answers),
    createItemsRoute(answers),
    createAllergensRoute(answers),
  ];
}
