import Negotiator from 'negotiator';
import { constants } from '../../db/runtime/constants.ts';

export type Encoding = 'br' | 'gzip' | 'identity';

/** Looks a header up, or makes what it comes to. Clients choose the headers: a full map begins anew. */
function findOrMake<Made>(
  known: Map<string, Made>,
  entries: number,
  key: string,
  make: () => Made,
): Made {
  const found = known.get(key);
  if (found !== undefined) return found;
  if (known.size >= entries) known.clear();
  const made = make();
  known.set(key, made);
  return made;
}

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
  const entries = constants.maxRememberedEncodings;
  return findOrMake(encodings, entries, acceptEncoding, () => negotiate(acceptEncoding));
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

/** The languages that headers came to, by what was available and the header; empty for none. */
const languages = new Map<string, string>();

function negotiateLanguage(
  acceptLanguage: string,
  available: readonly string[],
  usual: string | undefined,
): string {
  const asked = OTHER_TAGS.reduce((text, [tag, ours]) => text.replace(tag, ours), acceptLanguage);
  const negotiator = new Negotiator({ headers: { 'accept-language': asked } });
  const first = available.filter((language) => language === usual);
  const others = available.filter((language) => language !== usual);
  return negotiator.language([...first, ...others]) ?? '';
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
  const key = `${usual} ${available.join()} ${acceptLanguage}`;
  const entries = constants.maxRememberedLanguages;
  const language = findOrMake(languages, entries, key, () =>
    negotiateLanguage(acceptLanguage, available, usual),
  );
  return available.find((one) => one === language);
}
