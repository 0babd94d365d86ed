import { type Locale, localize, type Translations } from '../../../db/schema/locale.ts';
import type { Row } from '../../../db/schema/record.ts';

/** What a page calls a record: its name in the page's language where it has one. */
export function recordName(data: Row, language: Locale): string {
  const texts = data.name_translations as Translations | undefined;
  return texts ? localize(texts, language, language) : String(data.name ?? '');
}
