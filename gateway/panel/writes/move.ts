import {
  type ListedSection,
  listSections,
  listSiblings,
  type Ordered,
} from '../../../db/sql/listed-records.ts';
import type { Say } from '../../../db/texts/say.ts';
import { type Html, html } from '../../http/html.ts';
import type { Desk } from '../desk.ts';
import type { Option } from '../forms/inputs.ts';
import { nameIn } from '../texts/choose.ts';
import type { PanelOperation } from './save-many.ts';

const INDENT = '\u2003';

/** A section in the order of the menu. */
export interface PlacedSection {
  section: ListedSection;
  /** 0 at the top. */
  depth: number;
  /** Those with the same parent and kind, itself too, in their order. */
  siblings: readonly ListedSection[];
}

/** All sections as guests find them: each before those in it, wines last. */
export async function readSections({ db, tenantId }: Desk): Promise<PlacedSection[]> {
  return placeSections(await listSections(db, tenantId));
}

/** Sections, siblings in their order, as guests find them. */
export function placeSections(sections: readonly ListedSection[]): PlacedSection[] {
  const below = (parentId: number | null, depth: number): PlacedSection[] => {
    const children = sections.filter(({ parent_id }) => parent_id === parentId);
    return children.flatMap((section) => [
      {
        section,
        depth,
        siblings: children.filter(({ menu_type }) => menu_type === section.menu_type),
      },
      ...below(section.id, depth + 1),
    ]);
  };
  const placed = below(null, 0);
  const isWine = ({ section }: PlacedSection) => section.menu_type === 'wine';
  return [...placed.filter((one) => !isWine(one)), ...placed.filter(isWine)];
}

export function sectionName({ request }: Desk, { section }: PlacedSection): string {
  return nameIn(section.name_translations, request.language);
}

/** Sections as the options of a control, each further in than the one it stands in. */
export function sectionOptions(desk: Desk, sections: readonly PlacedSection[]): Option[] {
  return sections.map((placed) => ({
    value: String(placed.section.id),
    label: INDENT.repeat(placed.depth) + sectionName(desk, placed),
    isWine: placed.section.menu_type === 'wine',
  }));
}

/** Arrows as drawings: not every font has them. */
const ARROWS = { up: 'M8 13V3M3.5 7.5 8 3l4.5 4.5', down: 'M8 3v10M3.5 8.5 8 13l4.5-4.5' };

/**
 * The buttons that move a record up and down.
 *
 * @param kind as `readMove` knows it
 * @param index its place among `count` records
 */
export function moveButtons(
  say: Say,
  kind: 'section' | 'dish' | 'type',
  { id, name, index, count }: { id: number; name: string; index: number; count: number },
): Html {
  const button = (way: 'up' | 'down') =>
    html`<button class="icon" name="do" value="${kind}-${way}:${id}" aria-label="${say(`menu.${way}`, { name })}"><svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d="${ARROWS[way]}" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg></button>`;
  return html`<span class="moves">${index > 0 && button('up')}${index < count - 1 && button('down')}</span>`;
}

/** Another place for a record among those beside it. */
interface Move {
  resource: Ordered;
  id: number;
  way: 'up' | 'down' | 'before';
  /** The record before which it is put; 0 for the end. */
  other: number;
}

const RESOURCES: Record<string, Ordered> = { section: 'categories', dish: 'items', type: 'types' };
const MOVE = /^(section|dish|type)-(up|down|before):([1-9]\d{0,9})(?::(\d{1,10}))?$/;

/** The move that a button or the script asks for, such as `dish-before:7:9`, or null. */
export function readMove(action: string): Move | null {
  const [, kind = '', way, id, other = 0] = MOVE.exec(action) ?? [];
  const resource = RESOURCES[kind];
  if (!resource) return null;
  return { resource, id: Number(id), way: way as Move['way'], other: Number(other) };
}

/** The places that a move changes, or why there is none. */
type Moved =
  | { name: string; operations: PanelOperation[] }
  | 'gone'
  /** The record before which it was to stand is not there any more. */
  | 'outdated';

function targetIndex(ids: readonly number[], { id, way, other }: Move): number | null {
  const from = ids.indexOf(id);
  if (way === 'up') return from - 1;
  if (way === 'down') return from + 1;
  const rest = ids.filter((one) => one !== id);
  if (other === 0) return rest.length;
  const index = rest.indexOf(other);
  return index < 0 ? null : index;
}

/** Something with a place among its siblings. */
interface Placed {
  id: number;
  display_order: number;
}

/**
 * The places that change when one of `siblings` moves.
 *
 * @param siblings in their order
 * @param to its new index
 */
export function newOrder(siblings: readonly Placed[], id: number, to: number): Placed[] {
  const from = siblings.findIndex((one) => one.id === id);
  const moved = siblings[from];
  if (!moved || to < 0 || to >= siblings.length || to === from) return [];
  const rest = siblings.filter((one) => one !== moved);
  const list = [...rest.slice(0, to), moved, ...rest.slice(to)];
  let last = -1;
  return siblings.flatMap(({ display_order }, index) => {
    last = Math.max(display_order, last + 1);
    const one = list[index];
    return !one || one.display_order === last ? [] : [{ id: one.id, display_order: last }];
  });
}

/** A new order as changes that are made together; each expects the place that was read. */
export async function moveOperations({ db, request, tenantId }: Desk, move: Move): Promise<Moved> {
  const { resource, id } = move;
  const siblings = await listSiblings(db, resource, tenantId, id);
  const moved = siblings.find((one) => one.id === id);
  if (!moved) return 'gone';
  const to = targetIndex(
    siblings.map((one) => one.id),
    move,
  );
  if (to === null) return 'outdated';
  const before = new Map(siblings.map((one) => [one.id, one.display_order]));
  const operations = newOrder(siblings, id, to).map(({ id: one, display_order }) => ({
    ...{ resource, id: one, data: { display_order } },
    expected: { display_order: before.get(one) },
  }));
  return { name: nameIn(moved.name_translations, request.language), operations };
}
