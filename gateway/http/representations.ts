import type { Body } from '../../db/snapshot/snapshot.ts';
import { type Answer, answerWith, type Content, headerLines, JSON_TYPE } from './answer.ts';
import { type Encoding, preferredEncoding } from './encodings.ts';

/** One form of a resource: the answer with its bytes, and the one that says "you have them". */
interface Variant {
  etag: string;
  full: Answer;
  /** Made when it is asked for first: most answers that are joined on demand never are. */
  notModified: Answer | null;
  /** The form's lines for it, and the variant's own, which both answers have. */
  shortLines: string;
  ownLines: string;
}

/** Something that can be read: finished answers in every encoding that was prepared. */
export interface Representations {
  identity: Variant;
  gzip: Variant | undefined;
  br: Variant | undefined;
  /** Memory that the answers hold beside the body's bytes, in bytes. */
  overhead: number;
}

/** A body whose bytes may still lie apart. */
type Preparable = Omit<Body, 'identity'> & { identity: Content };

/** What a client said about the copy that it has and the forms that it reads. */
export interface Conditions {
  /** If-None-Match, or the empty string. */
  ifNoneMatch: string;
  /** Accept-Encoding, or the empty string. */
  acceptEncoding: string;
}

/** What an answer says about its bytes, beside their encoding and entity tag, as lines. */
export interface Form {
  /** With the bytes. */
  lines: string;
  /** Without them. */
  shortLines: string;
  /** Whether there will be other encodings of what there is one of as yet. */
  varies: boolean;
}

export function createForm(cacheControl: string, headers: Record<string, string>): Form {
  return {
    lines: headerLines(cacheControl, headers),
    shortLines: headerLines(cacheControl, {}),
    varies: false,
  };
}

/** A display may keep an answer but asks each time whether it is still good. */
const JSON_FORM = createForm('no-cache', { 'Content-Type': JSON_TYPE });
/** Of JSON that is compressed by and by. */
export const COMPRESSED_FORM: Form = { ...JSON_FORM, varies: true };
const SUFFIXES: Record<Encoding, string> = { identity: '', gzip: '-gz', br: '-br' };
/** Objects and small buffers of one variant, measured on a heap with 10,000 of them. */
const BYTES_PER_VARIANT = 900;

function prepareVariant(
  body: Preparable,
  encoding: Encoding,
  bytes: Content,
  { lines, shortLines, varies }: Form,
): Variant {
  const etag = `${body.etag.slice(0, -1)}${SUFFIXES[encoding]}"`;
  const vary = varies || body.gzip !== undefined || body.br !== undefined;
  const ownLines = `ETag: ${etag}${vary ? '\r\nVary: Accept-Encoding' : ''}`;
  const encoded = encoding === 'identity' ? '' : `\r\nContent-Encoding: ${encoding}`;
  const full = answerWith('200 OK', `${lines}\r\n${ownLines}${encoded}`, bytes);
  return { etag, full, notModified: null, shortLines, ownLines };
}

/** Makes the answers for a body once, so that each request only picks one. */
export function prepareRepresentations(body: Preparable, form: Form = JSON_FORM): Representations {
  const { identity, gzip, br } = body;
  const variants = 1 + Number(gzip !== undefined) + Number(br !== undefined);
  return {
    identity: prepareVariant(body, 'identity', identity, form),
    gzip: gzip && prepareVariant(body, 'gzip', gzip, form),
    br: br && prepareVariant(body, 'br', br, form),
    overhead: variants * BYTES_PER_VARIANT,
  };
}

function notModified(variant: Variant): Answer {
  const { full, shortLines, ownLines } = variant;
  variant.notModified ??= answerWith(
    '304 Not Modified',
    `${shortLines}\r\n${ownLines}`,
    null,
    full.length,
  );
  return variant.notModified;
}

/** Of a longer list of tags, in characters, only its beginning is read. */
const MAX_LIST = 4_096;

/** Opaque tags of an If-None-Match list, without their weakness: the comparison is the weak one. */
function listedTags(ifNoneMatch: string): Set<string> {
  return new Set(ifNoneMatch.slice(0, MAX_LIST).match(/"[^"]*"/g) ?? []);
}

function heldVariant(
  resource: Representations,
  chosen: Variant,
  ifNoneMatch: string,
): Variant | undefined {
  if (ifNoneMatch.trim() === '*') return chosen;
  const tags = listedTags(ifNoneMatch);
  // Plain bytes are a copy for every client: a menu that was read before it was compressed need not
  // be sent again. Another encoding's might be passed on to one that cannot read it.
  return [chosen, resource.identity].find((variant) => tags.has(variant.etag));
}

/**
 * The answer to a GET of `resource`: 304 when the client's copy is still good (RFC 9110, 13.1.2:
 * lists, `*` and weak tags), else the bytes in the best encoding that it accepts.
 */
export function selectAnswer(resource: Representations, conditions: Conditions): Answer {
  const { ifNoneMatch } = conditions;
  const encoding = resource.br ? preferredEncoding(conditions.acceptEncoding) : 'identity';
  const variant = resource[encoding] ?? resource.identity;
  if (ifNoneMatch === '') return variant.full;
  if (ifNoneMatch === variant.etag) return notModified(variant);
  const held = heldVariant(resource, variant, ifNoneMatch);
  return held ? notModified(held) : variant.full;
}
