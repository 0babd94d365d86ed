import * as v from 'valibot';
import { addScreen, changeScreen } from '../../../db/actions/screens.ts';
import { BUNDLE_FORMS } from '../../../db/bundle/forms.ts';
import { screenChange, screenSchema } from '../../../db/schema/screen.ts';
import { deleteScreen, findScreen, listScreens, showScreenName } from '../../../db/sql/screens.ts';
import { NotFoundError } from '../../http/errors.ts';
import { pathId } from '../../http/path.ts';
import { readQuery } from '../../http/query.ts';
import { BINARY } from '../../openapi/parts.ts';
import { createEndpoints, describeAnswers, doing } from '../frame/endpoints.ts';
import { wordParameter } from '../frame/parameters.ts';
import type { ApiRoute } from '../frame/services.ts';

const example = {
  ...{ id: 2, name: 'Sala', section_ids: [3, 4], languages: ['it', 'en'], page_seconds: 12 },
  ...{
    columns: 2,
    orientation: 'auto',
    text_size: 'normal',
    hide_sold_out: true,
    tells_away: true,
  },
  ...{ part: 1, parts: 2, state: 'here' },
  ...{ last_seen_at: '2026-01-15T18:30:00.000Z', version: 42, width: 1920, height: 1080 },
  ...{ created_at: '2026-01-10T09:00:00.000Z', updated_at: '2026-01-15T18:30:00.000Z' },
};

const screenAnswer = describeAnswers('ScreenAnswer', screenSchema, example);

const bundleQuery = v.object({
  as: v.optional(wordParameter(BUNDLE_FORMS, 'The form of the file.'), 'html'),
});

const { route, oneRoute, listRoute, createRoute, showRoute, deleteRoute } = createEndpoints({
  path: '/admin/screens',
  tag: 'Screens',
  part: 'menu',
  isOfMenu: false,
  failure: 'could not reach the screens',
});

export const screenRoutes: readonly ApiRoute[] = [
  listRoute(
    {
      id: 'listScreens',
      summary: 'List the screens on the walls',
      details: 'All of them, in the order of their names.',
    },
    describeAnswers('ScreenList', v.array(screenSchema), [example])('The screens.'),
    listScreens,
  ),
  createRoute(
    {
      id: 'createScreen',
      summary: 'Give a screen its place',
      details:
        'A browser that opens `/screen` of the restaurant shows six letters. Who sends them here gives ' +
        'that browser a name and a place, which it keeps. Twenty wrong codes in a quarter of an hour ' +
        'are the most that a restaurant may send.',
    },
    {
      action: addScreen,
      body: { name: 'ScreenInput', example: { name: 'Sala', code: 'QWRTPX' } },
      answer: { ...screenAnswer('The screen, which now shows the menu.'), headers: ['Location'] },
    },
  ),
  showRoute(
    { id: 'showScreen', summary: 'Show a screen' },
    screenAnswer('The screen.'),
    findScreen,
  ),
  oneRoute(
    'PATCH',
    '',
    {
      ...{ id: 'setScreen', summary: 'Change what a screen shows' },
      details: 'The screen follows within a second.',
      body: {
        name: 'ScreenChange',
        schema: screenChange,
        example: { section_ids: [3], columns: 1 },
      },
      answers: { 200: screenAnswer('The screen as it is now.') },
    },
    (id, { tenant }, { db }, change) =>
      changeScreen(db, tenant.id, id, change, tenant.supportedLocales),
  ),
  route(
    'GET',
    '/:id/bundle',
    {
      id: 'downloadBundle',
      summary: 'Download the menu of a screen without network',
      details:
        'The menu of the next 30 days, photos reduced, 5 MB at most. `html` opens from a stick in any ' +
        'browser. `lavagna` is a signed ZIP, which a screen with a place takes. ' +
        'Hours, offers and visibility follow the clock of the screen.',
      parameters: ['Id'],
      query: bundleQuery,
      answers: {
        200: {
          description: 'The file.',
          content: {
            'text/html': {
              schema: { type: 'string' },
              example: '<!doctype html><html lang="it">…',
            },
            'application/zip': { schema: BINARY },
          },
          rareHeaders: ['Content-Disposition'],
        },
      },
      refusals: [414, 422],
    },
    async (context, { db, bundles }) => {
      const { values } = readQuery(bundleQuery, context.query);
      const screen = await findScreen(db, context.tenant.id, pathId(context.param));
      if (!screen) throw new NotFoundError();
      return bundles.make(context.tenant, screen, values.as);
    },
  ),
  deleteRoute(
    {
      id: 'deleteScreen',
      summary: 'Take a screen’s place away',
      details: 'It shows letters again.',
    },
    'It is gone.',
    deleteScreen,
  ),
  oneRoute(
    'POST',
    '/show-name',
    {
      id: 'showScreenName',
      summary: 'Let a screen show its name for a minute',
      answers: { 204: { description: 'It shows its name.' } },
    },
    doing(showScreenName),
  ),
];
