import { settings } from '../../db/schema/settings.ts';
import { publicRead } from './public-read.ts';
import type { ApiRoute } from './services.ts';

/** `GET /restaurant`: the restaurant's settings. */
export const restaurantRoute: ApiRoute = {
  kind: 'finished',
  body: 'restaurant',
  locale: () => null,
  ...publicRead('/restaurant', {
    id: 'getRestaurant',
    summary: 'The restaurant',
    holds: 'Its settings.',
    name: 'RestaurantAnswer',
    data: settings.shown,
  }),
};
