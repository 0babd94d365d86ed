import type { Settings } from '../../db/schema/settings.ts';
import type { Theme } from '../../db/schema/theme.ts';
import type { Front } from '../snapshots/loaded-snapshot.ts';

/** The restaurant and its theme. */
export function readSettingsAndTheme({ head }: Pick<Front, 'head'>) {
  return {
    settings: JSON.parse(head.settings) as Settings,
    theme: JSON.parse(head.theme) as Theme,
  };
}
