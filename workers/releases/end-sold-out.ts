import { constants } from '../../db/runtime/constants.ts';
import { inSlices } from '../../db/runtime/in-slices.ts';
import type { StoredMenu } from '../../db/sql/menus.ts';
import { createDraft, type Draft } from '../writes/bulk/draft.ts';
import { planOperations } from '../writes/bulk/plan.ts';

/**
 * Makes dishes available whose time of being sold out is over at a moment; null when there are none.
 *
 * @throws Error when the engine refuses one
 */
export async function endSoldOut(menu: StoredMenu, at: Date): Promise<Draft | null> {
  const isOver = (until: string | null) => until !== null && Date.parse(until) <= at.getTime();
  const operations = menu.dishes
    .filter(({ sold_out_until }) => isOver(sold_out_until))
    .map(({ id }) => ({
      operation: { resource: 'items', action: 'update', id, data: { sold_out_until: null } },
      path: '',
      isChecked: true as const,
    }));
  if (operations.length === 0) return null;
  const draft = createDraft(menu);
  const steps = planOperations(draft, operations, { namesOnce: true, earliest: null });
  const { results } = await inSlices(steps, constants.writeSlice);
  const wrong = results.find(({ outcome }) => outcome !== 'updated');
  if (wrong) throw new Error(`the clock cannot change item ${wrong.id}: ${wrong.outcome}`);
  return draft;
}
