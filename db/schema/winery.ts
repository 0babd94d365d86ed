import type { ShownOf } from './field.ts';
import { externalId, nullableUrl, requiredText, text, translations } from './kinds.ts';
import { defineRecord } from './record.ts';

/** A producer of wines; the specification leaves its fields open. */
export const winery = defineRecord({
  resource: 'wineries',
  table: 'wineries',
  schema: 'Winery',
  one: 'a winery',
  label: 'records.winery',
  isOnMenu: true,
  fields: {
    external_id: externalId(),
    name: requiredText(200, 'Its name.'),
    region: text(200, 'The region of its vineyards.'),
    country: text(200, 'The country of its vineyards.'),
    website: nullableUrl('Its web site.'),
    description: translations(2_000, 'What guests read about it.'),
  },
  example: { id: 3, name: 'Zidarich', region: 'Carso', description: { it: 'Vini del Carso.' } },
});
export type Winery = ShownOf<typeof winery.fields>;
