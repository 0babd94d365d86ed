import { type Asset, createShortAsset } from '../http/asset.ts';
import type { LoadedSnapshot } from '../snapshots/loaded-snapshot.ts';
import { iconSvg } from '../theme/icon.ts';
import { panelCss } from '../theme/panel-css.ts';
import { readSettingsAndTheme } from '../theme/settings-and-theme.ts';

/** What the panel shows of a restaurant. */
export interface Brand {
  name: string;
  /** The variables that `panel.css` builds on. */
  stylesheet: Asset;
  icon: Asset;
}

const known = new WeakMap<LoadedSnapshot, Brand>();

/** Reads the restaurant's name and theme out of the menu that is in memory, without the database. */
export function brandOf(snapshot: LoadedSnapshot): Brand {
  const present = known.get(snapshot);
  if (present) return present;
  const { settings, theme } = readSettingsAndTheme(snapshot);
  const { name } = settings;
  const brand = {
    name,
    stylesheet: createShortAsset('text/css', panelCss(theme)),
    icon: createShortAsset('image/svg+xml', iconSvg(name, theme)),
  };
  known.set(snapshot, brand);
  return brand;
}
