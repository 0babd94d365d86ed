import Negotiator from 'negotiator';
import { constants } from '../../db/runtime/constants.ts';
import { PANEL_LANGUAGES, panelLanguage } from '../../db/texts/catalogues.ts';

/** Accept-Encoding headers in memory, in entries; browsers share a dozen. */
const MAX_REMEMBERED_ENCODINGS = 256;

export type Encoding = 'br' | 'gzip' | 'identity';

/** Clients with a longer header, in characters, get the plain bytes. */
const MAX_ENCODINGS_LENGTH = 256;
const encodings = new Map<string, Encoding>();
/** The header that was read last, and its encoding: in a row of requests most say the same. */
let lastHeader = '';
let lastEncoding: Encoding = 'identity';

/** In the order in which they are chosen where the client has no preference. */
const AVAILABLE = ['br', 'gzip', 'x-gzip', 'identity'];

/** A weight that is no number is ignored. */
const BAD_WEIGHT = /;\s*q=(?![\d.])[^,]*/gi;

function negotiate(header: string): Encoding {
  const headers = { 'accept-encoding': header.replace(BAD_WEIGHT, '') };
  const negotiator = new Negotiator({ headers });
  const encoding = negotiator.encoding(AVAILABLE, { preferred: AVAILABLE });
  if (encoding === 'br') return 'br';
  return encoding === 'gzip' || encoding === 'x-gzip' ? 'gzip' : 'identity';
}

/**
 * The encoding that a client prefers among those that snapshots hold (RFC 9110, 12.5.3); brotli
 * before gzip where the client does not mind. A client that refuses every one of them gets the
 * plain bytes: an answer that can be read is better than 406.
 */
export function preferredEncoding(acceptEncoding: string): Encoding {
  if (acceptEncoding === lastHeader) return lastEncoding;
  lastEncoding = encodingOf(acceptEncoding);
  lastHeader = acceptEncoding;
  return lastEncoding;
}

function encodingOf(acceptEncoding: string): Encoding {
  if (acceptEncoding.length > MAX_ENCODINGS_LENGTH) return 'identity';
  const known = encodings.get(acceptEncoding);
  if (known !== undefined) return known;
  // Clients choose the headers: a full map begins anew.
  if (encodings.size >= MAX_REMEMBERED_ENCODINGS) encodings.clear();
  const encoding = negotiate(acceptEncoding);
  encodings.set(acceptEncoding, encoding);
  return encoding;
}

/** Longer headers, in characters, come from no browser and are not read. */
const MAX_LANGUAGES_LENGTH = 1_024;

/** Tags of browsers for languages that our list names otherwise. */
const OTHER_TAGS: readonly [tag: RegExp, ours: string][] = [
  [/\bzh-(?:hant-)?(?:tw|hk|mo)\b/gi, 'zh-Hant'],
  [/\bzh(?:-hans)?(?:-(?:cn|sg|my))?(?![-\w])/gi, 'zh-Hans'],
  [/\b(?:no|nn)(?=[-,;\s]|$)/gi, 'nb'],
  [/\biw(?=[-,;\s]|$)/gi, 'he'],
];

/** The places of the languages to which headers led among some available ones; -1: none of them. */
interface Choice {
  usual: string | undefined;
  byHeader: Map<string, number>;
}

/** By the languages as a text: many restaurants have the same. */
const choices = new Map<string, Choice>();
/** By the list itself: to make its text takes 1.4 µs, and to look it up 0.06. */
let choicesOfLists = new WeakMap<readonly string[], Choice>();
/** The headers in all of them: clients choose these, so that too many begin anew. */
let headerCount = 0;

function choiceAmong(available: readonly string[], usual: string | undefined): Choice {
  const known = choicesOfLists.get(available);
  if (known !== undefined && known.usual === usual) return known;
  const text = `${usual} ${available.join()}`;
  const choice = choices.get(text) ?? { usual, byHeader: new Map() };
  choices.set(text, choice);
  choicesOfLists.set(available, choice);
  return choice;
}

function forgetChoices(): void {
  choices.clear();
  choicesOfLists = new WeakMap();
  headerCount = 0;
}

function negotiateLanguage(
  acceptLanguage: string,
  available: readonly string[],
  usual: string | undefined,
): number {
  const asked = OTHER_TAGS.reduce((text, [tag, ours]) => text.replace(tag, ours), acceptLanguage);
  const negotiator = new Negotiator({ headers: { 'accept-language': asked } });
  const first = available.filter((language) => language === usual);
  const others = available.filter((language) => language !== usual);
  return available.indexOf(negotiator.language([...first, ...others]) ?? '');
}

/**
 * The language that a browser prefers among `available` (RFC 9110, 12.5.4); undefined when it wants
 * none of them.
 *
 * @param usual the one among them that answers a browser that takes any language
 */
export function preferredLanguage<L extends string>(
  acceptLanguage: string,
  available: readonly L[],
  usual = available[0],
): L | undefined {
  if (acceptLanguage === '' || acceptLanguage.length > MAX_LANGUAGES_LENGTH) return undefined;
  const known = choiceAmong(available, usual).byHeader.get(acceptLanguage);
  if (known !== undefined) return available[known];
  if (headerCount >= constants.maxRememberedLanguages) forgetChoices();
  const place = negotiateLanguage(acceptLanguage, available, usual);
  choiceAmong(available, usual).byHeader.set(acceptLanguage, place);
  headerCount += 1;
  return available[place];
}

/**
 * The language in which owners and their programs are told something: the one that `Accept-Language`
 * prefers, else the restaurant's, as far as the panel has them.
 */
export function readerLanguage(headers: ReadonlyMap<string, string>, defaultLocale: string) {
  const usual = panelLanguage(defaultLocale);
  const available = [usual, ...PANEL_LANGUAGES.filter((locale) => locale !== usual)];
  return preferredLanguage(headers.get('accept-language') ?? '', available) ?? usual;
}
