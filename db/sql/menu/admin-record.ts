import * as v from 'valibot';
import { entityTag } from '../../runtime/entity-tag.ts';
import { dishSchema } from '../../schema/dish.ts';
import { type Locale, localize } from '../../schema/locale.ts';
import type { Resource } from '../../schema/resource.ts';
import { sectionSchema } from '../../schema/section.ts';
import { typeSchema } from '../../schema/type.ts';
import { winerySchema } from '../../schema/winery.ts';
import { type Reader, viewDish, viewSection, viewType, viewWinery } from '../../snapshot/view.ts';
import {
  dishRowSchema,
  sectionRowSchema,
  settingsRowSchema,
  themeRowSchema,
  typeRowSchema,
  wineryRowSchema,
} from './record-sources.ts';

/** A record in the form in which the admin API shows it, and what identifies that form. */
export interface AdminRecord {
  id: number;
  /** Null for records that are there. */
  deletedAt: Date | null;
  /** The write that deleted it. */
  deletion: string | null;
  /** Strong, quotes included; it changes whenever anything of the record does. */
  etag: string;
  data: Record<string, unknown>;
  /** The row itself, in the form that menus are stored in. */
  row: unknown;
}

/** How a resource's rows are checked and shown. */
interface Viewer {
  schema: v.GenericSchema<unknown, unknown>;
  view(row: unknown): AdminRecord;
}

interface Stamps {
  id: number;
  created_at: Date;
  updated_at: Date;
  deleted_at: Date | null;
  deletion: string | null;
  default_locale: Locale;
}

function viewer<R extends Stamps>(
  schema: v.GenericSchema<unknown, R>,
  view: (row: R, read: Reader) => object,
): Viewer {
  return {
    schema,
    view: (checked) => {
      const row = checked as R;
      const { id, created_at, updated_at, deleted_at, deletion, default_locale } = row;
      const read: Reader = (texts) => localize(texts, default_locale, default_locale);
      const data = { ...view(row, read), created_at, updated_at, deleted_at };
      const etag = entityTag(JSON.stringify(data));
      return { id, deletedAt: deleted_at, deletion, etag, data, row };
    },
  };
}

/** Settings and theme stand in one language and cannot be deleted. */
function singletonViewer<R extends { id: number }>(schema: v.GenericSchema<unknown, R>): Viewer {
  return {
    schema,
    view: (checked) => {
      const data = checked as R;
      const etag = entityTag(JSON.stringify(data));
      return { id: data.id, deletedAt: null, deletion: null, etag, data, row: data };
    },
  };
}

/** Records as the public API shows them, in the restaurant's own language, with their times. */
export const viewers: Record<Resource, Viewer> = {
  categories: viewer(sectionRowSchema, viewSection),
  items: viewer(dishRowSchema, (row, read) => viewDish(row, row.winery ?? undefined, read)),
  types: viewer(typeRowSchema, viewType),
  wineries: viewer(wineryRowSchema, viewWinery),
  settings: singletonViewer(settingsRowSchema),
  theme: singletonViewer(themeRowSchema),
};

const times = { created_at: v.date(), updated_at: v.date(), deleted_at: v.nullable(v.date()) };

/** What the admin API shows of each resource; the times are ISO 8601 in JSON. */
export const adminSchemas: Record<Resource, v.GenericSchema> = {
  categories: v.object({ ...v.omit(sectionSchema, ['items', 'types']).entries, ...times }),
  items: v.object({ ...dishSchema.entries, ...times }),
  types: v.object({ ...typeSchema.entries, ...times }),
  wineries: v.object({ ...winerySchema.entries, ...times }),
  settings: settingsRowSchema,
  theme: themeRowSchema,
};
