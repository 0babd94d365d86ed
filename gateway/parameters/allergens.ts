import * as v from 'valibot';
import { FALLBACK_LOCALE } from '../../db/schema/locale.ts';

/** The parameters of `/allergens`. */
export const allergensQuerySchema = v.object({
  locale: v.optional(
    v.pipe(
      v.string(),
      v.description('Language of the labels; Italian for one that does not exist.'),
    ),
    FALLBACK_LOCALE,
  ),
});
