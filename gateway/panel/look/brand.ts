import { shownIn } from '../../look/shown.ts';
import type { LoadedSnapshot } from '../../snapshots/loaded-snapshot.ts';
import { type Asset, createAsset } from '../pages/asset.ts';
import { iconSvg } from './icon.ts';
import { themeCss } from './theme-css.ts';

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
  const { settings, theme } = shownIn(snapshot);
  const { name } = settings;
  const brand = {
    name,
    stylesheet: createAsset('/admin/theme.css', 'text/css', themeCss(theme)),
    icon: createAsset('/admin/icon.svg', 'image/svg+xml', iconSvg(name, theme)),
  };
  known.set(snapshot, brand);
  return brand;
}
