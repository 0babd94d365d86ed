import type { Theme } from '../../db/schema/theme.ts';
import type { Locale } from '../../db/schema/values/locale.ts';
import { type Asset, createShortAsset } from '../http/asset.ts';
import type { Front } from '../snapshots/loaded-snapshot.ts';
import { readSettingsAndTheme } from '../theme/menu-css.ts';
import { panelPalette } from '../theme/panel-palette.ts';
import { themeCss } from '../theme/theme-css.ts';
import { iconSvg } from '../theme/touch-icon.ts';

const SERIF = "'Iowan Old Style', 'Palatino Linotype', Palatino, Georgia, 'Times New Roman', serif";
const SANS = "'Avenir Next', Avenir, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";

/** The panel loads no font from other servers; it takes the kind of the theme's font. */
function displayFont(fontFamily: string): string {
  const isSerif = /(?<!sans-)serif|georgia|garamond|times/i.test(fontFamily);
  return isSerif ? SERIF : SANS;
}

/** The variables that `panel.css` builds on. */
export function panelCss(theme: Theme): string {
  return themeCss(theme, {
    palette: panelPalette(theme),
    maxRadius: '0.875rem',
    variables: { display: displayFont(theme.font_family) },
  });
}

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
