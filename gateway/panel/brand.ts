import type { Locale } from '../../db/schema/locale.ts';
import { type Asset, createShortAsset } from '../http/asset.ts';
import type { Front } from '../snapshots/loaded-snapshot.ts';
import { iconSvg } from '../theme/icon.ts';
import { panelCss } from '../theme/panel-css.ts';
import { readSettingsAndTheme } from '../theme/settings-and-theme.ts';

/** The name and colours of a restaurant in the panel. */
export interface Brand {
  name: string;
  /** Its languages. */
  locales: readonly Locale[];
  /** The variables that `panel.css` builds on. */
  stylesheet: Asset;
  icon: Asset;
}

const known = new WeakMap<Front, Brand>();

/** The restaurant's name and colours; made once for a menu in memory. */
export function brandOf(front: Front): Brand {
  const present = known.get(front);
  if (present) return present;
  const { settings, theme } = readSettingsAndTheme(front);
  const { name } = settings;
  const brand = {
    name,
    locales: settings.supported_locales,
    stylesheet: createShortAsset('text/css', panelCss(theme)),
    icon: createShortAsset('image/svg+xml', iconSvg(name, theme)),
  };
  known.set(front, brand);
  return brand;
}
