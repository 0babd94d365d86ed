import type { Branch } from '../sql/snapshots.ts';
import { createJsonWriter, type Range } from './json-writer.ts';
import { digest, type SectionPart, type SnapshotHead } from './parts.ts';
import type { Body, Snapshot } from './snapshot.ts';
import { fillTemplate, isTemplate, type SnapshotSections, sectionOf } from './template.ts';

/** @param content what decides the bytes: hashing it takes less than hashing them */
function finishBody(identity: Buffer, content: readonly string[]): Body {
  return { etag: `"${digest(content)}"`, identity };
}

function envelope(data: string, generatedAt: string): Body {
  const meta = JSON.stringify({ generated_at: generatedAt });
  const text = `{"success":true,"data":${data},"meta":${meta}}`;
  return finishBody(Buffer.from(text), [text]);
}

function* pickParts(
  { order, locale }: SnapshotHead,
  sections: SnapshotSections,
): Generator<void, SectionPart[]> {
  const parts: SectionPart[] = [];
  for (const id of order) {
    const section = sectionOf(sections, id);
    parts.push(isTemplate(section) ? fillTemplate(section, locale) : section);
    yield;
  }
  return parts;
}

function writeMenu(head: SnapshotHead, parts: readonly SectionPart[]) {
  const writer = createJsonWriter();
  const ranges: Range[] = [];
  const { settings, theme, generatedAt, locale } = head;
  writer.write(`{"success":true,"data":{"settings":${settings},"theme":${theme},"sections":[`);
  writer.list(parts, ({ json }) => {
    ranges.push(writer.write(json));
    writer.write('}');
  });
  writer.write(`]},"meta":${JSON.stringify({ generated_at: generatedAt, locale })}}`);
  const identity = writer.bytes();
  const sections = parts.map((part, index) => ({
    ...part,
    json: identity.subarray(...(ranges[index] as Range)),
  }));
  return { identity, sections };
}

function writeCategories(
  tree: readonly Branch[],
  { generatedAt }: SnapshotHead,
  parts: readonly SectionPart[],
) {
  const writer = createJsonWriter();
  const ranges = new Map<number, Range>();
  const byId = new Map(parts.map((part) => [part.id, part]));
  const writeBranch = ([id, children]: Branch): void => {
    const range = writer.span(() => {
      writer.write((byId.get(id) as SectionPart).json);
      writer.write(',"children":[');
      writer.list(children, writeBranch);
      writer.write(']}');
    });
    ranges.set(id, range);
  };
  writer.write('{"success":true,"data":[');
  writer.list(tree, writeBranch);
  writer.write(`],"meta":${JSON.stringify({ generated_at: generatedAt })}}`);
  const identity = writer.bytes();
  const views = [...ranges].map(([id, range]) => [id, identity.subarray(...range)] as const);
  return { identity, branches: new Map(views) };
}

/**
 * Joins a snapshot's sections into the answers that it serves, in steps of a section or an answer.
 * Equal heads and sections give equal bytes, whether the sections are templates from the database or
 * views of the version before.
 *
 * @throws Error when a section of the head is missing
 */
export function* assembleInSteps(
  head: SnapshotHead,
  sections: SnapshotSections,
): Generator<void, Snapshot> {
  const parts = yield* pickParts(head, sections);
  const menu = writeMenu(head, parts);
  yield;
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
