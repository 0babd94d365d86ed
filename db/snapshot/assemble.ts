import { measureIndex } from './bigram-index.ts';
import { createJsonWriter, type Range } from './json-writer.ts';
import { type Branch, digest, type SectionPart, type SnapshotHead } from './parts.ts';
import type { Body, Snapshot } from './snapshot.ts';

type Parts = ReadonlyMap<number, SectionPart>;

/** Memory that the index costs beside the bytes of the bodies: objects, views and map entries. */
const BYTES_PER_DISH = 160;
const BYTES_PER_SECTION = 400;
const BYTES_PER_SNAPSHOT = 4_096;

/** @param content what decides the bytes: hashing it takes less than hashing them */
function finishBody(identity: Buffer, content: readonly string[]): Body {
  return { etag: `"${digest(content)}"`, identity };
}

function envelope(data: string, generatedAt: string): Body {
  const meta = JSON.stringify({ generated_at: generatedAt });
  const text = `{"success":true,"data":${data},"meta":${meta}}`;
  return finishBody(Buffer.from(text), [text]);
}

function partOf(parts: Parts, id: number): SectionPart {
  const part = parts.get(id);
  if (!part) throw new Error(`a snapshot lacks its section ${id}`);
  return part;
}

function writeMenu(head: SnapshotHead, parts: Parts) {
  const writer = createJsonWriter();
  const ranges: Range[] = [];
  const { settings, theme, generatedAt, locale } = head;
  writer.write(`{"success":true,"data":{"settings":${settings},"theme":${theme},"sections":[`);
  writer.list(head.order, (id) => {
    ranges.push(writer.write(partOf(parts, id).json));
    writer.write('}');
  });
  writer.write(`]},"meta":${JSON.stringify({ generated_at: generatedAt, locale })}}`);
  const identity = writer.bytes();
  const sections = head.order.map((id, index) => ({
    ...partOf(parts, id),
    json: identity.subarray(...(ranges[index] as Range)),
  }));
  return { identity, sections };
}

function writeCategories(tree: readonly Branch[], head: SnapshotHead, parts: Parts) {
  const writer = createJsonWriter();
  const ranges = new Map<number, Range>();
  const writeBranch = ([id, children]: Branch): void => {
    const range = writer.span(() => {
      writer.write(partOf(parts, id).json);
      writer.write(',"children":[');
      writer.list(children, writeBranch);
      writer.write(']}');
    });
    ranges.set(id, range);
  };
  writer.write('{"success":true,"data":[');
  writer.list(tree, writeBranch);
  writer.write(`],"meta":${JSON.stringify({ generated_at: head.generatedAt })}}`);
  const identity = writer.bytes();
  const views = [...ranges].map(([id, range]) => [id, identity.subarray(...range)] as const);
  return { identity, branches: new Map(views) };
}

/** What the snapshot of these parts holds in memory once it is assembled, in bytes. */
export function measureSnapshot(head: SnapshotHead, parts: Parts): number {
  let sections = 0;
  let index = BYTES_PER_SNAPSHOT;
  for (const id of head.order) {
    const { length, dishes } = partOf(parts, id);
    sections += length;
    index += BYTES_PER_SECTION + measureIndex(dishes);
    for (const { text } of dishes) index += text.length * 2 + BYTES_PER_DISH;
  }
  const about = 2 * (head.settings.length + head.theme.length);
  return index + about + sections * (head.tree ? 2 : 1);
}

/**
 * Joins a snapshot's parts into the answers that it serves. Equal heads and parts give equal bytes,
 * whether the parts are text from the database or views of the version before.
 */
export function assembleSnapshot(head: SnapshotHead, parts: Parts): Snapshot {
  const menu = writeMenu(head, parts);
  const { version: _version, ...shown } = head;
  const content = [JSON.stringify(shown), ...menu.sections.map(({ tag }) => tag)];
  const bodies: Snapshot['bodies'] = {
    menu: finishBody(menu.identity, ['menu', ...content]),
    restaurant: envelope(head.settings, head.generatedAt),
    theme: envelope(head.theme, head.generatedAt),
  };
  const categories = head.tree && writeCategories(head.tree, head, parts);
  if (categories) {
    bodies.categories = finishBody(categories.identity, ['categories', ...content]);
  }
  const branches = categories?.branches ?? new Map<number, Buffer>();
  return { head, bodies, sections: menu.sections, branches };
}
