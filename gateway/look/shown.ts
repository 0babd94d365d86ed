import * as v from 'valibot';
import { type Settings, settingsSchema } from '../../db/records/settings.ts';
import { type Theme, themeSchema } from '../../db/records/theme.ts';
import type { LoadedSnapshot } from '../snapshots/loaded-snapshot.ts';

/** The restaurant and its theme, read out of the menu that is in memory, without the database. */
export function shownIn({ head }: LoadedSnapshot): { settings: Settings; theme: Theme } {
  return {
    settings: v.parse(settingsSchema, JSON.parse(head.settings)),
    theme: v.parse(themeSchema, JSON.parse(head.theme)),
  };
}
