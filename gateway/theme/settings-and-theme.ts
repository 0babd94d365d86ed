import type { Settings } from '../../db/schema/settings.ts';
import type { Theme } from '../../db/schema/theme.ts';
import type { LoadedSnapshot } from '../snapshots/loaded-snapshot.ts';

/** The restaurant and its theme, read out of the menu that is in memory, without the database. */
export function readSettingsAndTheme({ head }: LoadedSnapshot) {
  return {
    settings: JSON.parse(head.settings) as Settings,
    theme: JSON.parse(head.theme) as Theme,
  };
}
