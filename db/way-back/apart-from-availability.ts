import { withPresentAvailability } from '../schema/availability.ts';
import { isSame } from '../schema/record.ts';
import type { Row } from '../schema/values/row.ts';
import type { NetChange } from './later-changes.ts';

// The kitchen knows best which dishes are sold out now. An older menu knows nothing of it, so ways back
// leave it as it is.

/** Whether a change of a record leaves what is available as it is. */
function leavesAvailability({ resource, before, after }: NetChange): boolean {
  return !before || !after || isSame(withPresentAvailability(resource, before, after), before);
}

/** Whether changes say what is available, and nothing else. */
export function areAvailability(nets: readonly NetChange[]): boolean {
  return nets.every(({ resource, before, after }) => {
    return before && after && isSame(withPresentAvailability(resource, before, after), after);
  });
}

/**
 * A change that is to be taken back, without what it did to availability.
 *
 * @param now the record as it is, whose availability both sides get
 * @param isWhole whether the change takes its own availability back, too
 */
export function apartFromAvailability(net: NetChange, now: Row, isWhole: boolean): NetChange {
  if (isWhole && !leavesAvailability(net)) return net;
  const { resource, before, after } = net;
  return {
    ...net,
    before: before && withPresentAvailability(resource, before, now),
    after: after && withPresentAvailability(resource, after, now),
  };
}
