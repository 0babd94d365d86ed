import { createJsonWriter, type JsonWriter, type Range } from './json-writer.ts';
import { type Branch, digest, type SectionPart, type SnapshotHead } from './parts.ts';
import type { Body, DishFragment, Snapshot } from './snapshot.ts';

type Parts = ReadonlyMap<number, SectionPart>;

/** Memory that the index costs beside the bytes of the bodies: objects, views and map entries. */
const BYTES_PER_DISH = 480;
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

/** Where the pieces of a section came to lie. */
interface Place {
  part: SectionPart;
  head: Range;
  dishes: Range[];
  types: Range;
}

/** Writes a section but for the brace that ends it. */
function writeSection(writer: JsonWriter, part: SectionPart): Place {
  const dishes: Range[] = [];
  const head = writer.write(part.head);
  writer.write(',"items":[');
  writer.list(part.dishes, ({ json }) => dishes.push(writer.write(json)));
  writer.write('],"types":');
  return { part, head, dishes, types: writer.write(part.types) };
}

/** The same section as views of the body that it has been written to. */
function viewPlace({ part, head, dishes, types }: Place, body: Buffer): SectionPart<Buffer> {
  return {
    id: part.id,
    tag: part.tag,
    head: body.subarray(...head),
    types: body.subarray(...types),
    dishes: part.dishes.map((dish, index) => ({
      ...dish,
      json: body.subarray(...(dishes[index] as Range)),
    })),
  };
}

function writeMenu(head: SnapshotHead, parts: Parts) {
  const writer = createJsonWriter();
  const places: Place[] = [];
  const { settings, theme, generatedAt, locale } = head;
  writer.write(`{"success":true,"data":{"settings":${settings},"theme":${theme},"sections":[`);
  writer.list(head.order, (id) => {
    places.push(writeSection(writer, partOf(parts, id)));
    writer.write('}');
  });
  writer.write(`]},"meta":${JSON.stringify({ generated_at: generatedAt, locale })}}`);
  const identity = writer.bytes();
  return { identity, sections: places.map((place) => viewPlace(place, identity)) };
}

function writeCategories(tree: readonly Branch[], head: SnapshotHead, parts: Parts) {
  const writer = createJsonWriter();
  const ranges = new Map<number, Range>();
  const writeBranch = ([id, children]: Branch): void => {
    const range = writer.span(() => {
      writeSection(writer, partOf(parts, id));
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
  return { identity, sections: new Map(views) };
}

function measure(snapshot: Omit<Snapshot, 'bytes'>): number {
  let bytes = BYTES_PER_SNAPSHOT + snapshot.parts.size * BYTES_PER_SECTION;
  for (const { identity, gzip, br } of Object.values(snapshot.bodies)) {
    bytes += identity.length + (gzip?.length ?? 0) + (br?.length ?? 0);
  }
  for (const { text } of snapshot.dishes) bytes += text.length * 2 + BYTES_PER_DISH;
  return bytes;
}

/**
 * Joins a snapshot's parts into the answers that it serves. Equal heads and parts give equal bytes,
 * whether the parts are text from the database or views of the version before.
 */
export function assembleSnapshot(head: SnapshotHead, parts: Parts): Snapshot {
  const menu = writeMenu(head, parts);
  const dishes = menu.sections.flatMap((section) =>
    section.dishes.map((dish): DishFragment => ({ ...dish, categoryId: section.id })),
  );
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
  const { version, locale, generatedAt } = head;
  const snapshot = {
    version,
    locale,
    generatedAt,
    head,
    encoded: false,
    bodies,
    dishes,
    sections: categories ? categories.sections : new Map<number, Buffer>(),
    parts: new Map(menu.sections.map((section) => [section.id, section])),
  };
  return { ...snapshot, bytes: measure(snapshot) };
}

/** The snapshot with compressed forms of its bodies. */
export function withEncodings(snapshot: Snapshot, encoded: Snapshot['bodies']): Snapshot {
  const whole = { ...snapshot, encoded: true, bodies: { ...snapshot.bodies, ...encoded } };
  return { ...whole, bytes: measure(whole) };
}
