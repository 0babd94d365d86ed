import { adminOnly, instant } from './kinds.ts';
import { isoSeconds } from './validation/date-fields.ts';

/** When guests see a record: moments in UTC and whole seconds, the first one included. */
export interface Visibility {
  visible_from: string | null;
  visible_until: string | null;
}

/** The fields of a record that guests see between two moments. */
export const visibleMoments = {
  visible_from: adminOnly(
    instant({
      label: 'fields.visible_from',
      description: 'The moment from which guests see it; null for always.',
    }),
  ),
  visible_until: adminOnly(
    instant({
      label: 'fields.visible_until',
      description: 'The moment from which guests do not see it any more; null for never.',
    }),
  ),
};

/** The name under which a history tells that a record appeared or left. No record has such a field. */
export const IS_VISIBLE = 'is_visible';

/** Whether its moments let guests see a record: they do not yet, they do, or they do not any more. */
export function visibilityAt(
  { visible_from: from, visible_until: until }: Visibility,
  at: Date,
): 'later' | 'now' | 'over' {
  if (from === null && until === null) return 'now';
  const now = isoSeconds(at.getTime());
  if (until !== null && until <= now) return 'over';
  return from !== null && from > now ? 'later' : 'now';
}
