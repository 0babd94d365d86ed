import * as v from 'valibot';
import { sectionSchema, sectionTreeSchema } from '../../db/schema/section.ts';
import { settings } from '../../db/schema/settings.ts';
import { theme } from '../../db/schema/theme.ts';
import { described, describedReference } from '../../db/schema/validation/described-as.ts';
import { requestedLocale } from '../../db/schema/values/locale.ts';
import { localizedMetaSchema } from '../http/envelope.ts';
import type { ApiRoute } from './frame/services.ts';
import { localeEntry, localeIn } from './locale-query.ts';
import { publicRead } from './public-read.ts';

const FALLBACK =
  'A text that lacks a translation comes in the restaurant’s `fallback_locale`, else in its `default_locale`, else in any.';

/** The reads that every snapshot holds finished. */
export const finishedRoutes: ApiRoute[] = [
  {
    kind: 'finished',
    body: 'menu',
    locale: (param) => (param === '' ? null : requestedLocale(param)),
    ...publicRead('/menu/:locale?', {
      id: 'getMenu',
      summary: 'The whole menu in the restaurant’s language',
      details: `Sections stand one after the other, each before its sub-sections, wines last. ${FALLBACK}`,
      withParameter: {
        id: 'getMenuInLocale',
        summary: 'The whole menu in a language',
        details: FALLBACK,
      },
      holds: 'Settings, theme and sections with their dishes.',
      name: 'MenuAnswer',
      data: v.object({
        settings: describedReference(settings.shown, 'The restaurant.'),
        theme: describedReference(theme.shown, 'How the menu looks.'),
        sections: described(v.array(sectionSchema), 'The sections, in order.'),
      }),
      meta: localizedMetaSchema,
      isCompressed: true,
    }),
  },
  {
    kind: 'finished',
    body: 'categories',
    locale: (_param, query) => localeIn(query),
    ...publicRead('/categories', {
      id: 'listCategories',
      summary: 'Sections with their dishes, sub-categories and sub-sections',
      query: v.object(localeEntry),
      holds: 'The top-level sections, in order.',
      name: 'CategoriesAnswer',
      data: v.array(sectionTreeSchema),
      isCompressed: true,
    }),
  },
  {
    kind: 'finished',
    body: 'restaurant',
    ...publicRead('/restaurant', {
      id: 'getRestaurant',
      summary: 'The restaurant',
      holds: 'Its settings.',
      name: 'RestaurantAnswer',
      data: settings.shown,
    }),
  },
  {
    kind: 'finished',
    body: 'theme',
    ...publicRead('/theme', {
      id: 'getTheme',
      summary: 'How the menu looks',
      holds: 'Colours, font and layout.',
      name: 'ThemeAnswer',
      data: theme.shown,
    }),
  },
];
