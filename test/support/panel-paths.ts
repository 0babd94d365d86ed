import { PLACES } from '../../gateway/panel/navigation.ts';

/** The pages of a panel after sign-in, by their paths. */
export const PANEL_PATHS = [
  ...Object.values(PLACES).map(({ path }) => path),
  '/admin/menu?section=1',
  '/admin/menu?q=e',
  '/admin/menu?q=zzz',
  '/admin/menu?state=hidden',
  '/admin/menu/items/1',
  '/admin/menu/items/new?section=1',
  '/admin/menu/sections/1',
  '/admin/menu/sections/new',
  '/admin/menu/types',
  '/admin/menu/types/1',
  '/admin/menu/types/new',
  '/admin/menu/wineries',
  '/admin/menu/wineries/1',
  '/admin/menu/wineries/new',
  '/admin/menu/modifier-groups',
  '/admin/menu/modifier-groups/new',
  '/admin/menu/deleted',
  '/admin/menu/items/999999',
];
