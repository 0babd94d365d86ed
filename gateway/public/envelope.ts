import type { Body } from '../../db/snapshot/snapshot.ts';
import { entityTag } from '../http/resource.ts';
import type { LoadedSnapshot } from '../snapshots/loaded-snapshot.ts';

const COMMA = 44;

/** `fragments` with commas between them, behind `head` and before `tail`: Buffer.concat takes longer. */
function join(head: string, fragments: readonly Buffer[], tail: string): Buffer {
  const before = Buffer.byteLength(head);
  let length = before + Buffer.byteLength(tail) + Math.max(0, fragments.length - 1);
  for (const fragment of fragments) length += fragment.length;
  const joined = Buffer.allocUnsafe(length);
  joined.write(head);
  let end = before;
  for (const fragment of fragments) {
    if (end > before) joined[end++] = COMMA;
    joined.set(fragment, end);
    end += fragment.length;
  }
  joined.write(tail, end);
  return joined;
}

/**
 * Wraps finished JSON into the success envelope with the snapshot's `generated_at` (SPEC,
 * "Envelope").
 *
 * @param data one fragment, or a list of them that becomes an array
 * @param name what the answer is, within the snapshot: equal names must mean equal bytes
 */
export function wrapFragments(
  snapshot: LoadedSnapshot,
  data: Buffer | readonly Buffer[],
  meta: Record<string, unknown>,
  name: string,
): Body {
  const json = JSON.stringify({ generated_at: snapshot.generatedAt, ...meta });
  const identity = Buffer.isBuffer(data)
    ? join('{"success":true,"data":', [data], `,"meta":${json}}`)
    : join('{"success":true,"data":[', data, `],"meta":${json}}`);
  const menu = snapshot.served().bodies.menu?.etag ?? '';
  return { identity, etag: entityTag(menu, name) };
}
