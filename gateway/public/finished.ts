import { FALLBACK_LOCALE, isLocale } from '../../db/schema/locale.ts';
import type { BodyName } from '../../db/snapshot/snapshot.ts';
import { NotFoundError } from '../pipeline/errors.ts';
import type { FinishedRoute, ReadRoute } from '../pipeline/route.ts';

function createFinishedRoute(
  path: string,
  body: BodyName,
  locale: ReadRoute['locale'] = () => null,
): FinishedRoute {
  return {
    kind: 'read',
    method: 'GET',
    path,
    body,
    locale,
    read: ({ snapshot }) => {
      const resource = snapshot.served().resources[body];
      if (!resource) throw new NotFoundError();
      return resource;
    },
  };
}

/** `GET /menu/{locale?}`: settings, theme and all sections with their dishes. */
export const menuRoute = createFinishedRoute('/menu/:locale?', 'menu', (param) => {
  if (param === '') return null;
  return isLocale(param) ? param : FALLBACK_LOCALE;
});

/** `GET /restaurant`: the restaurant's settings. */
export const restaurantRoute = createFinishedRoute('/restaurant', 'restaurant');

/** `GET /theme`: how the restaurant's menu looks. */
export const themeRoute = createFinishedRoute('/theme', 'theme');

/** `GET /categories`: top-level sections with items, types and children. */
export const categoriesRoute = createFinishedRoute('/categories', 'categories');
