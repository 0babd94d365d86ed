import type { Row } from '../../../db/schema/record.ts';
import {
  type Locale,
  localize,
  readingIn,
  type Translations,
} from '../../../db/schema/values/locale.ts';
import type { PanelLanguage } from '../../../db/texts/catalogues.ts';
import { sayIn } from '../../../db/texts/say.ts';

/** A name in one or in several languages, as a page shows it. */
export function nameIn(name: string | Translations, language: Locale): string {
  return typeof name === 'string' ? name : localize(name, readingIn(language));
}

/** The name of a record on a page: in the page's language where it has one. */
export function recordName(data: Row, language: PanelLanguage): string {
  const texts = data.name_translations as Translations | undefined;
  if ('alt_translations' in data) {
    const shows = nameIn(data.alt_translations as Translations, language);
    return shows || sayIn(language)('photos.numbered', { n: Number(data.id) });
  }
  return nameIn(texts ?? String(data.name ?? ''), language);
}
