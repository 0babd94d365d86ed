import * as v from 'valibot';
import { type Settings, settingsSchema } from '../../db/schema/settings.ts';
import { type Theme, themeSchema } from '../../db/schema/theme.ts';
import type { LoadedSnapshot } from '../snapshots/loaded-snapshot.ts';

/** The restaurant and its theme, read out of the menu that is in memory, without the database. */
export function readSettingsAndTheme({ head }: LoadedSnapshot): {
  settings: Settings;
  theme: Theme;
} {
  return {
    settings: v.parse(settingsSchema, JSON.parse(head.settings)),
    theme: v.parse(themeSchema, JSON.parse(head.theme)),
  };
}
