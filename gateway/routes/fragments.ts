import { entityTag } from '../../db/runtime/entity-tag.ts';
import type { Derived, DerivedAnswers } from '../http/derived-answers.ts';
import { NotFoundError } from '../http/errors.ts';
import { JoinedBody, type Run } from '../http/joined-body.ts';
import type { Representations } from '../http/representations.ts';
import type { LoadedSnapshot } from '../snapshots/loaded-snapshot.ts';

/**
 * Wraps finished JSON into the success envelope with the snapshot's `generated_at` (SPEC,
 * "Envelope").
 *
 * @param data one fragment, or a list of them that becomes an array
 * @param name what the answer is, within the snapshot: equal names must mean equal bytes
 */
export function wrapFragments(
  snapshot: LoadedSnapshot,
  data: Run | readonly Run[],
  meta: Record<string, unknown>,
  name: string,
): Derived {
  const json = JSON.stringify({ generated_at: snapshot.generatedAt, ...meta });
  const pieces =
    'source' in data
      ? new JoinedBody('{"success":true,"data":', [data], `,"meta":${json}}`)
      : new JoinedBody('{"success":true,"data":[', data, `],"meta":${json}}`);
  const menu = snapshot.served().body('menu')?.etag ?? '';
  return { pieces, etag: entityTag(menu, name) };
}

/**
 * The answer that consists of one fragment.
 *
 * @throws NotFoundError when there is none
 */
export function answerFragment(
  answers: DerivedAnswers,
  snapshot: LoadedSnapshot,
  name: string,
  fragment: Run | undefined,
): Representations {
  if (!fragment) throw new NotFoundError();
  return answers.derive(snapshot, name, () => wrapFragments(snapshot, fragment, {}, name));
}
