import { theme } from '../../db/schema/theme.ts';
import { publicRead } from './public-read.ts';
import type { ApiRoute } from './services.ts';

/** `GET /theme`: how the restaurant's menu looks. */
export const themeRoute: ApiRoute = {
  kind: 'finished',
  body: 'theme',
  locale: () => null,
  ...publicRead('/theme', {
    id: 'getTheme',
    summary: 'How the menu looks',
    holds: 'Colours, font and layout.',
    name: 'ThemeAnswer',
    data: theme.shown,
  }),
};
