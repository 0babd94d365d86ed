import * as v from 'valibot';
import { constants } from '../../db/runtime/constants.ts';
import { tellErrors, tellFirst } from '../../db/schema/error-sentences.ts';
import { boundErrors } from '../../db/schema/validation/bound-errors.ts';
import { timestamp } from '../../db/schema/validation/date-fields.ts';
import { counted, described, describedReference } from '../../db/schema/validation/described-as.ts';
import { codesSchema } from '../../db/schema/validation/messages.ts';
import type { FieldErrors } from '../../db/schema/validation/rule.ts';
import { localeSchema } from '../../db/schema/values/locale.ts';
import type { PanelLanguage } from '../../db/texts/catalogues.ts';

/** The `meta` of every answer (SPEC, "Envelope"). */
export const metaSchema = v.object({
  generated_at: v.pipe(
    v.string(),
    v.isoTimestamp(),
    v.description('When these data were put together.'),
  ),
});
const ignored = v.optional(
  described(
    v.array(v.string()),
    'What was sent and ignored, fields by their paths, the first ones of many.',
  ),
);
/** The `meta` of an answer that names fields or parameters that were sent and have no meaning here. */
export const ignoringMetaSchema = v.object({ ...metaSchema.entries, ignored });

/** The `meta` of an answer that names what was ignored, if there is any. */
export function ignoringMeta(names: readonly string[]): Record<string, unknown> {
  return names.length > 0 ? { ignored: names } : {};
}

/** The `meta` of an answer in one language: the language that was served. */
export const localizedMetaSchema = v.object({
  ...metaSchema.entries,
  locale: describedReference(localeSchema, 'Language of the texts.'),
});

const pagingMetaSchema = v.object({
  total: counted('Number of entries on all pages.'),
  page: counted('The page that this is, from 1.', 1),
  per_page: counted('Entries of a full page.', 1),
  last_page: counted('The last page that has entries; at least 1.', 1),
});
type PagingMeta = v.InferOutput<typeof pagingMetaSchema>;

/** The `meta` of a page of a list (SPEC, "`/items` `meta` fields"). */
export function pagingMeta(total: number, page: number, per_page: number): PagingMeta {
  return { total, page, per_page, last_page: Math.max(1, Math.ceil(total / per_page)) };
}

/** The `meta` of a paged list, and of one in a language. */
const listMetaSchema = v.object({ ...metaSchema.entries, ...pagingMetaSchema.entries });
export const ignoringListMetaSchema = v.object({ ...listMetaSchema.entries, ignored });
export const itemsMetaSchema = v.object({
  ...localizedMetaSchema.entries,
  ...pagingMetaSchema.entries,
  forgiven: v.optional(
    described(
      v.literal(true),
      'No dish has the searched words as they are: these fit with one or two slips.',
    ),
  ),
  undeclared: v.optional(
    counted('Number of dishes that are left out because their allergens are not declared.'),
  ),
});

export function successSchema<D extends v.GenericSchema, M extends v.GenericSchema>(
  data: D,
  meta: M,
) {
  return v.object({ success: v.literal(true), data, meta });
}

/** The envelope of an error (SPEC, "Errors"). */
export const errorSchema = v.object({
  success: v.literal(false),
  message: described(v.string(), 'What went wrong.'),
  error_id: v.optional(
    described(v.string(), 'Of a 500: the name under which the log has its cause.'),
  ),
});
/** The envelope of a 422: what is wrong, by field. */
export const invalidSchema = v.object({
  ...errorSchema.entries,
  message: described(v.string(), 'The first error, and how many more there are.'),
  errors: described(
    v.record(v.string(), v.array(v.string())),
    `The errors by field, of the first ${constants.maxListedFailures} fields.`,
  ),
  codes: codesSchema,
});

/** The object of a success (SPEC, "Envelope"). */
export function successOf(data: unknown, meta: Record<string, unknown> = {}) {
  const { generated_at = timestamp(new Date()) } = meta;
  return { success: true, data, meta: { generated_at, ...meta } };
}

export function successBody(data: unknown, meta: Record<string, unknown> = {}): string {
  return JSON.stringify(successOf(data, meta));
}

/** The object of an error (SPEC, "Errors"). */
export function errorOf(message: string, details: Record<string, unknown> = {}) {
  return { success: false, message, ...details };
}

export function errorBody(message: string, details: Record<string, unknown> = {}): string {
  return JSON.stringify(errorOf(message, details));
}

/** The body of a 422: errors of the first fields, and the first one with the count of all others. */
export function invalidBody(
  errors: FieldErrors,
  more: object = {},
  language: PanelLanguage = 'it',
): string {
  const codes = boundErrors(errors);
  const sentences = tellErrors(language, codes);
  const count = Object.values(errors).flat().length;
  return errorBody(tellFirst(language, sentences, count), { errors: sentences, codes, ...more });
}
