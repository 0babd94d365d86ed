import * as de from './de.ts';
import * as en from './en.ts';
import * as es from './es.ts';
import * as fr from './fr.ts';
import * as it from './it.ts';

/** The texts that guests read. */
export type Guest = typeof it.guest;
/** Those of the menu's page. */
export type PageTexts = Guest['page'];
/** The texts of the owners' pages and of the insights. */
export type Panel = typeof it.panel;

type Keys<T> = {
  [K in keyof T & string]: T[K] extends string ? K : `${K}.${Keys<T[K]>}`;
}[keyof T & string];
/** Names a text in every language, such as `menu.newDish`. */
export type TextKey = Keys<Guest> | Keys<Panel>;

/** In French these stand behind a space, or before one, at which no line may end. */
const FRENCH_SPACE = / (?=[:;?!»])|(?<=«) /g;

/** French texts with spaces at which no line ends where French wants them. */
function withFrenchSpaces(texts: Panel): Panel {
  return JSON.parse(JSON.stringify(texts).replace(FRENCH_SPACE, '\u00A0')) as Panel;
}

/** Every language's texts: a new language is its file and its line here. */
const CATALOGUES = {
  it,
  en,
  fr: { guest: fr.guest, panel: withFrenchSpaces(fr.panel) },
  de,
  es,
} satisfies Record<string, { guest: Guest; panel: Panel }>;

/** A language in which owners' pages can be read. */
export type PanelLanguage = keyof typeof CATALOGUES;

/** The texts that guests read in a language. */
export function guestTexts(locale: PanelLanguage): Guest {
  return CATALOGUES[locale].guest;
}

type Tree = { readonly [name: string]: string | Tree };

function entries(tree: Tree, path = ''): [key: string, text: string][] {
  return Object.entries(tree).flatMap(([name, value]) =>
    typeof value === 'string' ? [[path + name, value]] : entries(value, `${path}${name}.`),
  );
}

const flat = new Map<PanelLanguage, ReadonlyMap<string, string>>();

/** All texts of a language by their keys. */
export function textsByKey(locale: PanelLanguage): ReadonlyMap<string, string> {
  const { guest, panel } = CATALOGUES[locale];
  const texts = flat.get(locale) ?? new Map(entries({ ...guest, ...panel }));
  flat.set(locale, texts);
  return texts;
}

export function isTextKey(key: string): key is TextKey {
  return textsByKey('it').has(key);
}
