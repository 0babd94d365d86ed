import ar from './ar.json' with { type: 'json' };
import cs from './cs.json' with { type: 'json' };
import da from './da.json' with { type: 'json' };
import de from './de.json' with { type: 'json' };
import el from './el.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };
import he from './he.json' with { type: 'json' };
import hr from './hr.json' with { type: 'json' };
import hu from './hu.json' with { type: 'json' };
import it from './it.json' with { type: 'json' };
import ja from './ja.json' with { type: 'json' };
import ko from './ko.json' with { type: 'json' };
import nl from './nl.json' with { type: 'json' };
import pl from './pl.json' with { type: 'json' };
import pt from './pt.json' with { type: 'json' };
import ro from './ro.json' with { type: 'json' };
import ru from './ru.json' with { type: 'json' };
import sv from './sv.json' with { type: 'json' };
import tr from './tr.json' with { type: 'json' };
import uk from './uk.json' with { type: 'json' };
import zhHans from './zh-Hans.json' with { type: 'json' };

/** The texts that guests read. */
export type Guest = typeof it.guest;
export type PageTexts = Guest['page'];
/** The texts of the owners' pages and of the insights. */
export type Panel = typeof it.panel;

/** Texts of a language of guests alone: English ones stand for those that it lacks. */
type GuestTexts = {
  [T in keyof Guest]?: { [K in keyof Guest[T]]?: Guest[T][K] };
};

/** The keys of all texts of a catalogue, of several those of each. */
type Keys<T> = T extends unknown
  ? { [K in keyof T & string]: T[K] extends string ? K : `${K}.${Keys<T[K]>}` }[keyof T & string]
  : never;
type Values<T> = T[keyof T];
/** Keys that the Italian catalogue lacks and another one has. The type check refuses them by name. */
type UnknownKey = Exclude<Keys<Values<typeof PANEL> | Values<typeof FURTHER>>, Keys<typeof it>>;
type None<K extends never> = K;
/** Names a text in every language, such as `menu.newDish`. */
export type TextKey = Keys<Guest> | Keys<Panel> | None<UnknownKey>;

/** In French these stand behind a space, or before one, at which no line may end. */
const FRENCH_SPACE = / (?=[:;?!»])|(?<=«) /g;

/** French texts with spaces at which no line ends where French wants them. */
function withFrenchSpaces<T extends Panel>(texts: T): T {
  return JSON.parse(JSON.stringify(texts).replace(FRENCH_SPACE, '\u00A0')) as T;
}

/** Texts for guests and owners: a new language of the panel is its file and its line here. */
const PANEL = {
  it,
  en,
  fr: { guest: fr.guest, panel: withFrenchSpaces(fr.panel) },
  de,
  es,
} satisfies Record<string, { guest: Guest; panel: Panel }>;

/** Texts for guests: a new language of the menu's page is its file and its line here. */
const FURTHER = {
  ar,
  cs,
  da,
  el,
  he,
  hr,
  hu,
  ja,
  ko,
  nl,
  pl,
  pt,
  ro,
  ru,
  sv,
  tr,
  uk,
  'zh-Hans': zhHans,
} satisfies Record<string, { guest: GuestTexts }>;

/** A language's texts, each one that it lacks in English. */
function completed(texts: GuestTexts): Guest {
  const topics = Object.entries(en.guest) as [keyof Guest, object][];
  const whole = topics.map(([topic, english]) => [topic, { ...english, ...texts[topic] }]);
  return Object.fromEntries(whole) as Guest;
}

const GUEST: Readonly<Record<string, { guest: Guest }>> = {
  ...PANEL,
  ...Object.fromEntries(
    Object.entries(FURTHER).map(([code, { guest }]) => [code, { guest: completed(guest) }]),
  ),
};

/** A language in which owners' pages can be read. */
export type PanelLanguage = keyof typeof PANEL;
export const PANEL_LANGUAGES = Object.keys(PANEL) as PanelLanguage[];

export function isPanelLanguage(code: string): code is PanelLanguage {
  return Object.hasOwn(PANEL, code);
}

/** The language in which owners read who speak `code`: English where it has no texts. */
export function panelLanguage(code: string): PanelLanguage {
  return isPanelLanguage(code) ? code : 'en';
}

/** The language of the texts that guests get beside a menu in `code`: English where it has none. */
export function guestLanguage<L extends string>(code: L): L | 'en' {
  return Object.hasOwn(GUEST, code) ? code : 'en';
}

export function guestTexts(language: string): Guest {
  return (GUEST[language] ?? en).guest;
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
  const { guest, panel } = PANEL[locale];
  const texts = flat.get(locale) ?? new Map(entries({ ...guest, ...panel }));
  flat.set(locale, texts);
  return texts;
}

export function isTextKey(key: string): key is TextKey {
  return textsByKey('it').has(key);
}
