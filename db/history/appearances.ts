import { records } from '../schema/registry.ts';
import type { Change } from '../schema/version.ts';
import { IS_VISIBLE, type Visibility, visibilityAt } from '../schema/visibility.ts';
import type { StoredMenu } from '../sql/menus.ts';
import { describe, recordsOf } from './difference.ts';

/** How long before a moment a record is as it was before it, in ms: moments are whole seconds. */
const JUST_BEFORE = 1;

/**
 * The records that guests see or do not see any more by moments of a span of time, each as a change of
 * `is_visible`.
 *
 * @param since the first moment of the span
 * @param until the last one
 */
export function appearances(menu: StoredMenu, since: Date, until: Date): Change[] {
  const before = new Date(since.getTime() - JUST_BEFORE);
  return (['categories', 'items'] as const).flatMap((resource) =>
    recordsOf(menu, records[resource]).flatMap((row) => {
      const span = row as unknown as Visibility;
      const [was, is] = [before, until].map((at) => visibilityAt(span, at) === 'now');
      if (was === is || row.is_active !== true) return [];
      const fields = { [IS_VISIBLE]: [was, is] };
      const locale = menu.settings.default_locale;
      return [describe(records[resource], 'changed', row, fields, locale)];
    }),
  );
}
