import { FALLBACK_LOCALE, isLocale } from '../../db/records/locale.ts';
import type { BodyName } from '../../db/snapshot/snapshot.ts';
import { NotFoundError } from '../errors.ts';
import type { ReadRoute } from '../http/route.ts';

/** Answers with a body that the snapshot holds finished. */
function finished(name: BodyName): ReadRoute['read'] {
  return ({ snapshot }) => {
    const resource = snapshot.served().resources[name];
    if (!resource) throw new NotFoundError();
    return resource;
  };
}

/** `GET /menu/{locale?}`: settings, theme and all sections with their dishes. */
export const menuRoute: ReadRoute = {
  kind: 'read',
  method: 'GET',
  path: '/menu/:locale?',
  locale: (param) => {
    if (param === '') return null;
    return isLocale(param) ? param : FALLBACK_LOCALE;
  },
  read: finished('menu'),
};

/** `GET /restaurant`: the restaurant's settings. */
export const restaurantRoute: ReadRoute = {
  kind: 'read',
  method: 'GET',
  path: '/restaurant',
  locale: () => null,
  read: finished('restaurant'),
};

/** `GET /theme`: how the restaurant's menu looks. */
export const themeRoute: ReadRoute = {
  kind: 'read',
  method: 'GET',
  path: '/theme',
  locale: () => null,
  read: finished('theme'),
};

/** `GET /categories`: top-level sections with items, types and children. */
export const categoriesRoute: ReadRoute = {
  kind: 'read',
  method: 'GET',
  path: '/categories',
  locale: () => null,
  read: finished('categories'),
};
