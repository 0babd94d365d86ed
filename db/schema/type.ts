import type { ShownOf, StoredOf } from './field.ts';
import { displayOrder, externalId, reference, requiredTranslations, visibility } from './kinds.ts';
import { defineRecord } from './record.ts';

/** A sub-category of a section; the specification leaves its fields open. */
export const type = defineRecord({
  resource: 'types',
  table: 'types',
  schema: 'Type',
  one: 'a sub-category',
  label: 'records.type',
  isOnMenu: true,
  parent: 'category_id',
  fields: {
    category_id: reference('categories', {
      label: 'fields.type.category_id',
      description: 'The section that it belongs to.',
      onDelete: 'cascade',
    }),
    external_id: externalId(),
    name: requiredTranslations(200, {
      label: 'fields.type.name',
      description: 'Its name.',
    }),
    display_order: displayOrder('Its place in the section, in ascending order.'),
    is_active: visibility('Whether guests see it.'),
  },
  example: { id: 4, category_id: 2, name: { it: 'Pasta fresca' } },
});
export type StoredType = StoredOf<typeof type.fields>;
export type Type = ShownOf<typeof type.fields>;
