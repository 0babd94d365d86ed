import { type Run, wholeSlice } from '../http/joined-body.ts';
import { pathId } from '../http/path-id.ts';
import { NotFoundError } from '../pipeline/errors.ts';
import type { ReadContext, ReadRoute } from '../pipeline/route.ts';
import type { DerivedAnswers } from '../snapshots/derived-answers.ts';
import type { LoadedSnapshot } from '../snapshots/loaded-snapshot.ts';
import { wrapFragments } from './envelope.ts';

function findDish(snapshot: LoadedSnapshot, id: number): Run | undefined {
  for (const { json, dishes } of snapshot.served().sections) {
    const dish = dishes.find((one) => one.id === id);
    if (dish) return { source: json, start: dish.start, end: dish.end };
  }
  return undefined;
}

function findBranch(snapshot: LoadedSnapshot, id: number): Run | undefined {
  const branch = snapshot.served().branches.get(id);
  return branch && wholeSlice(branch);
}

/** The two endpoints that show one record by its id, active ones only. */
export function createByIdRoutes(answers: DerivedAnswers): ReadRoute[] {
  const one = (
    kind: string,
    fragmentOf: (snapshot: LoadedSnapshot, id: number) => Run | undefined,
  ) => ({
    kind: 'read' as const,
    method: 'GET' as const,
    path: `/${kind}/:id`,
    locale: () => null,
    read: ({ snapshot, param }: ReadContext) => {
      const id = pathId(param);
      const fragment = fragmentOf(snapshot, id);
      if (!fragment) throw new NotFoundError();
      const name = `${kind}/${id}`;
      return answers.derive(snapshot, name, () => wrapFragments(snapshot, fragment, {}, name));
    },
  });
  return [one('categories', findBranch), one('items', findDish)];
}
