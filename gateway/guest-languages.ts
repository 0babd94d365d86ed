import { ALL_LOCALES } from '../db/schema/locale.ts';
import { guestLanguage } from '../db/texts/catalogues.ts';

/** The languages in which guests read the texts beside a menu; Italian first. */
export const GUEST_LANGUAGES = ALL_LOCALES.filter((locale) => guestLanguage(locale) === locale);
