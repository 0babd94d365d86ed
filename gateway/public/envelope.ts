import type { Body } from '../../db/snapshot/snapshot.ts';
import { entityTag } from '../http/resource.ts';
import type { LoadedSnapshot } from '../snapshots/loaded-snapshot.ts';

const COMMA = Buffer.from(',');

/** Finished elements with the commas between them. */
function listed(fragments: readonly Buffer[]): Buffer[] {
  const pieces: Buffer[] = [];
  for (const json of fragments) {
    if (pieces.length > 0) pieces.push(COMMA);
    pieces.push(json);
  }
  return pieces;
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
  const isList = !Buffer.isBuffer(data);
  const fragments = isList ? listed(data) : [data];
  const head = `{"success":true,"data":${isList ? '[' : ''}`;
  const tail = JSON.stringify({ generated_at: snapshot.generatedAt, ...meta });
  const identity = Buffer.concat([
    Buffer.from(head),
    ...fragments,
    Buffer.from(`${isList ? ']' : ''},"meta":${tail}}`),
  ]);
  const menu = snapshot.served().bodies.menu?.etag ?? '';
  return { identity, etag: entityTag(menu, name) };
}
