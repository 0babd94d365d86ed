import { groupBy } from '../runtime/group-by.ts';
import { memoize, once } from '../runtime/memoize.ts';
import type { StoredDish } from '../schema/dish.ts';
import type { StoredSection, StoredType } from '../schema/section.ts';
import { type Visibility, visibilityAt } from '../schema/visibility.ts';
import type { StoredMenu } from '../sql/menus.ts';
import type { Branch } from '../sql/snapshots.ts';
import { createJsonWriter, type Range } from './json-writer.ts';
import {
  type Body,
  type BodyName,
  digest,
  type SectionPart,
  type Snapshot,
  type SnapshotHead,
} from './parts.ts';
import {
  fillTemplate,
  isTemplate,
  measureTemplate,
  type SnapshotSections,
  sectionOf,
} from './template.ts';

/** A visible section with what belongs to it, everything in display order. */
export interface SectionNode {
  section: StoredSection;
  types: StoredType[];
  dishes: StoredDish[];
  children: SectionNode[];
}

/**
 * Nests the records of a menu that guests see at a moment: top-level sections with their
 * sub-sections, types and dishes. A section below a hidden one does not appear
 * (SPEC, "Rules for /menu", 1).
 */
export function arrangeMenu(menu: StoredMenu, at: Date): SectionNode[] {
  const isActive = (record: { is_active: boolean }) => record.is_active;
  const isSeen = (record: { is_active: boolean } & Visibility) =>
    record.is_active && visibilityAt(record, at) === 'now';
  const sections = groupBy(menu.sections.filter(isSeen), (section) => section.parent_id);
  const types = groupBy(menu.types.filter(isActive), (type) => type.category_id);
  const dishes = groupBy(menu.dishes.filter(isSeen), (dish) => dish.category_id);
  const nest = (parentId: number | null): SectionNode[] =>
    (sections.get(parentId) ?? []).map((section) => ({
      section,
      types: types.get(section.id) ?? [],
      dishes: dishes.get(section.id) ?? [],
      children: nest(section.id),
    }));
  return nest(null);
}

/**
 * The order of `/menu` and `/items`: each section before its sub-sections, these before the next
 * section, and all wine sections last (SPEC, "Rules for /menu", 2).
 */
export function flattenSections(tree: readonly SectionNode[]): SectionNode[] {
  const [food, wine]: [SectionNode[], SectionNode[]] = [[], []];
  const add = (nodes: readonly SectionNode[]) => {
    for (const node of nodes) {
      (node.section.menu_type === 'wine' ? wine : food).push(node);
      add(node.children);
    }
  };
  add(tree);
  return [...food, ...wine];
}

/** Room for what stands around the sections of a menu, and around each of them, in bytes. */
const ENVELOPE_BYTES = 256;
const SECTION_ROOM = 64;

/** @param content what decides the bytes: hashing it takes less than hashing them */
function finishBody(identity: Buffer, content: readonly string[]): Body {
  return { etag: `"${digest(content)}"`, identity };
}

function envelope(data: string, generatedAt: string): Body {
  const meta = JSON.stringify({ generated_at: generatedAt });
  const text = `{"success":true,"data":${data},"meta":${meta}}`;
  return finishBody(Buffer.from(text), [text]);
}

/** About the length of a menu's body, in bytes. */
function measureMenu(head: SnapshotHead, sections: SnapshotSections): number {
  let bytes = 2 * (head.settings.length + head.theme.length) + ENVELOPE_BYTES;
  for (const section of sections.values()) {
    const own = isTemplate(section)
      ? measureTemplate(section, head.locale).bytes
      : section.json.length;
    bytes += own + SECTION_ROOM;
  }
  return bytes;
}

function* writeMenu(head: SnapshotHead, sections: SnapshotSections) {
  const writer = createJsonWriter(measureMenu(head, sections));
  const { settings, theme, generatedAt, locale, order } = head;
  writer.write(`{"success":true,"data":{"settings":${settings},"theme":${theme},"sections":[`);
  const written: { part: Omit<SectionPart, 'json'>; range: Range }[] = [];
  for (const id of order) {
    const section = sectionOf(sections, id);
    if (written.length > 0) writer.write(',');
    const start = writer.length();
    const isMade = !isTemplate(section);
    if (isMade) writer.write(section.json);
    const part = isMade ? section : fillTemplate(section, locale, writer);
    written.push({ part, range: [start, writer.length()] });
    writer.write('}');
    yield;
  }
  writer.write(`]},"meta":${JSON.stringify({ generated_at: generatedAt, locale })}}`);
  const identity = writer.bytes();
  const parts = written.map(({ part, range }): SectionPart => {
    return { ...part, json: identity.subarray(...range) };
  });
  return { identity, parts };
}

function writeCategories(
  tree: readonly Branch[],
  { generatedAt }: SnapshotHead,
  parts: readonly SectionPart[],
  about: number,
) {
  const writer = createJsonWriter(about);
  const ranges = new Map<number, Range>();
  const byId = new Map(parts.map((part) => [part.id, part]));
  const writeBranch = ([id, children]: Branch): void => {
    const start = writer.length();
    writer.write((byId.get(id) as SectionPart).json);
    writer.write(',"children":[');
    writer.list(children, writeBranch);
    writer.write(']}');
    ranges.set(id, [start, writer.length()]);
  };
  writer.write('{"success":true,"data":[');
  writer.list(tree, writeBranch);
  writer.write(`],"meta":${JSON.stringify({ generated_at: generatedAt })}}`);
  const identity = writer.bytes();
  const views = [...ranges].map(([id, range]) => [id, identity.subarray(...range)] as const);
  return { identity, branches: new Map(views) };
}

/**
 * Joins a snapshot's sections into the menu that it serves, in steps of a section. The other answers
 * are made when they are asked for. Equal heads and sections give equal bytes, whether the sections are
 * templates from the database or views of the version before.
 *
 * @throws Error when a section of the head is missing
 */
export function* assembleInSteps(
  head: SnapshotHead,
  sections: SnapshotSections,
): Generator<void, Snapshot> {
  const { identity, parts } = yield* writeMenu(head, sections);
  const { version: _version, ...shown } = head;
  const content = [JSON.stringify(shown), ...parts.map(({ tag }) => tag)];
  return openAnswers(head, parts, finishBody(identity, ['menu', ...content]));
}

/**
 * The answers of a menu that is put together already. (A function of its own: what it is not given need
 * not live as long as the snapshot.)
 */
export function openAnswers(
  head: SnapshotHead,
  sections: readonly SectionPart[],
  menu: Body,
): Snapshot {
  const { tree, settings, theme, generatedAt } = head;
  const nested = once(() => writeCategories(tree, head, sections, menu.identity.length));
  const bodies: Record<BodyName, () => Body> = {
    menu: () => menu,
    restaurant: () => envelope(settings, generatedAt),
    theme: () => envelope(theme, generatedAt),
    // The menu's tag names all that decides these bytes, too.
    categories: () => finishBody(nested().identity, ['categories', menu.etag]),
  };
  return {
    ...{ head, sections },
    body: memoize((name) => bodies[name]()),
    branches: () => nested().branches,
  };
}
