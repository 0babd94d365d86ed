import { type ListedSection, listSections } from '../../../db/sql/listed-records.ts';
import type { Desk } from '../desk.ts';
import type { Option } from '../forms/inputs.ts';
import { nameIn } from '../texts/record-name.ts';

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
export async function readSections({ db, request }: Desk): Promise<PlacedSection[]> {
  const sections = await listSections(db, request.tenantId);
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
