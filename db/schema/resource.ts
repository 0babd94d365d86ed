import * as v from 'valibot';
import { dishInputSchema } from './dish.ts';
import { sectionInputSchema } from './section.ts';
import { settingsInputSchema } from './settings.ts';
import { themeInputSchema } from './theme.ts';
import { typeInputSchema } from './type.ts';
import type { InputSchema } from './validation/check-input.ts';
import { wineryInputSchema } from './winery.ts';

/** Records of which a restaurant has many, by their name in the admin API's paths. */
export const COLLECTIONS = ['categories', 'items', 'types', 'wineries'] as const;
export type Collection = (typeof COLLECTIONS)[number];

/** Records of which every restaurant has one. */
export const SINGLETONS = ['settings', 'theme'] as const;

export const resourceSchema = v.picklist([...COLLECTIONS, ...SINGLETONS]);
export type Resource = v.InferOutput<typeof resourceSchema>;

export function isCollection(resource: Resource): resource is Collection {
  return (COLLECTIONS as readonly string[]).includes(resource);
}

/** What a body that creates a record must and may have. */
export const inputSchemas: Record<Resource, InputSchema> = {
  categories: sectionInputSchema,
  items: dishInputSchema,
  types: typeInputSchema,
  wineries: wineryInputSchema,
  settings: settingsInputSchema,
  theme: themeInputSchema,
};

/** What a body that changes a record may have: what is sent is changed, and must be right. */
export const changeSchemas = Object.fromEntries(
  Object.entries(inputSchemas).map(([resource, schema]) => [
    resource,
    v.object(
      Object.fromEntries(
        Object.entries(schema.entries).map(([field, entry]) => [
          field,
          entry.type === 'optional' ? entry : v.optional(entry as v.GenericSchema),
        ]),
      ),
    ),
  ]),
) as Record<Resource, InputSchema>;

export const actionSchema = v.picklist(['create', 'change', 'delete', 'restore']);
/** What a write does to a record. */
export type Action = v.InferOutput<typeof actionSchema>;
