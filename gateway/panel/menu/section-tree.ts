import type { ListedSection } from '../../../db/sql/panel/list-sections.ts';

/** A section in the order of the menu. */
export interface PlacedSection {
  section: ListedSection;
  /** 0 at the top. */
  depth: number;
  /** Those with the same parent and kind, itself too, in their order. */
  siblings: readonly ListedSection[];
}

/** All sections as guests find them: each before those in it, wines last. */
export function sectionTree(sections: readonly ListedSection[]): PlacedSection[] {
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
