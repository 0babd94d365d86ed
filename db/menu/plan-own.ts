import type { Draft } from './draft.ts';
import { planOperations, type SentOperation } from './plan.ts';

/** Does one operation of ours to a draft of a menu, whose values fit their fields. */
export function planOwn(draft: Draft, operation: object) {
  const sent: SentOperation = { operation, path: '', isChecked: true };
  return planOperations(draft, [sent], { namesOnce: false, earliest: null });
}
