import * as v from 'valibot';
import { FALLBACK_LOCALE, isLocale } from '../../db/schema/locale.ts';
import { sectionSchema } from '../../db/schema/section.ts';
import { settings } from '../../db/schema/settings.ts';
import { theme } from '../../db/schema/theme.ts';
import { localizedMetaSchema } from '../http/envelope.ts';
import { publicRead } from './public-read.ts';
import type { ApiRoute } from './services.ts';

const FALLBACK =
  'A text that lacks a translation comes in Italian, else in the restaurant’s language, else in any.';

/** `GET /menu/{locale?}`: settings, theme and all sections with their dishes. */
export const menuRoute: ApiRoute = {
  kind: 'finished',
  body: 'menu',
  locale: (param) => {
    if (param === '') return null;
    return isLocale(param) ? param : FALLBACK_LOCALE;
  },
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
      settings: settings.shown,
      theme: theme.shown,
      sections: v.array(sectionSchema),
    }),
    meta: localizedMetaSchema,
    isCompressed: true,
  }),
};
