import { compressBeside, compressSoon } from '../../db/runtime/compress.ts';
import { type Answer, type AnswerContent, answerWith, headerLines, JSON_TYPE } from './answer.ts';
import { JoinedBody } from './joined-body.ts';
import { type Encoding, preferredEncoding } from './negotiation.ts';

/** One form of a resource: the answer with its bytes, and the parts of a 304. */
export interface Variant extends Answer {
  etag: string;
  /** Made when it is asked for first: most answers that are joined on demand never are. */
  notModified: Answer | null;
  /** The form's lines for it, and the variant's own, which both answers have. */
  shortLines: string;
  ownLines: string;
}

/** Something that can be read: finished answers in every encoding that was prepared. */
export interface Representations {
  br: Variant | undefined;
  gzip: Variant | undefined;
  readonly identity: Variant;
  /** Memory that the answers hold beside the body's bytes, in bytes. */
  overhead: number;
  /**
   * Makes an encoding that is missing, once, with as little delay for its reader as can be, or before
   * there is one; null where there will be no other encodings.
   */
  compress: ((encoding: Compressed, isAhead?: boolean) => Promise<void>) | null;
}

type Compressed = Exclude<Encoding, 'identity'>;

/** A body whose bytes may still lie apart. */
interface Preparable {
  /** ETag of the identity bytes, quotes included; the other encodings add their suffix. */
  etag: string;
  identity: AnswerContent;
  gzip?: Buffer;
  br?: Buffer;
}

/** The client's copy of the answer, and the encodings that it reads. */
interface Conditions {
  /** If-None-Match, or the empty string. */
  ifNoneMatch: string;
  /** Accept-Encoding, or the empty string. */
  acceptEncoding: string;
}

/** Header lines about an answer's bytes, beside their encoding and entity tag. */
export interface AnswerForm {
  /** With the bytes. */
  lines: string;
  /** Without them. */
  shortLines: string;
  /** Headers of the request that choose among answers, where these are compressed. */
  vary: string;
}

/**
 * @param vary headers of the request, beside Accept-Encoding, that choose the answer
 * @param kept headers that a 304 has, too
 */
export function createForm(
  cacheControl: string,
  headers: Record<string, string>,
  vary: readonly string[] = [],
  kept: Readonly<Record<string, string>> = {},
): AnswerForm {
  return {
    lines: headerLines(cacheControl, { ...headers, ...kept }),
    shortLines: headerLines(cacheControl, kept),
    vary: ['Accept-Encoding', ...vary].join(', '),
  };
}

/** A display may keep an answer but asks each time whether it is still good. */
export const JSON_FORM = createForm('no-cache', { 'Content-Type': JSON_TYPE });
const SUFFIXES: Record<Encoding, string> = { identity: '', gzip: '-gz', br: '-br' };
/** Objects and small buffers of one variant, measured on a heap with 10,000 of them. */
const BYTES_PER_VARIANT = 900;

/** The entity tag of the bytes in an encoding. */
export function encodedTag(etag: string, encoding: Encoding): string {
  return `${etag.slice(0, -1)}${SUFFIXES[encoding]}"`;
}

const ENCODED_TAG = /-(?:gz|br|gzip)"$/;

/** Undoes `encodedTag`, also as proxies that compress write it. */
export function plainTag(tag: string): string {
  return tag.replace(ENCODED_TAG, '"');
}

/**
 * Puts head and body into one piece of memory. With many menus each piece is out of the processor's
 * cache when a display asks for it.
 */
function inOnePiece(head: Buffer, body: Uint8Array) {
  const bytes = Buffer.concat([head, body]);
  return { head: bytes.subarray(0, head.length), body: bytes.subarray(head.length) };
}

function prepareVariant(
  etag: string,
  encoding: Encoding,
  bytes: AnswerContent,
  { lines, shortLines, vary }: AnswerForm,
  varies: boolean,
): Variant {
  const own = encodedTag(etag, encoding);
  const ownLines = `ETag: ${own}${varies ? `\r\nVary: ${vary}` : ''}`;
  const encoded = encoding === 'identity' ? '' : `\r\nContent-Encoding: ${encoding}`;
  const status = '200 OK';
  const alone = Buffer.from(`${status}\r\n${lines}\r\n${ownLines}${encoded}`);
  // Plain bodies share their bytes with others.
  const isOwn = encoding !== 'identity' && !(bytes instanceof JoinedBody);
  const { head, body } = isOwn ? inOnePiece(alone, bytes) : { head: alone, body: bytes };
  const { length } = body;
  // V8 gives each way to make an object a form of its own, and reads objects of one form fastest.
  return { status, head, body, length, etag: own, notModified: null, shortLines, ownLines };
}

/** Makes the answers for a body once, so that each request only picks one. */
export function prepareRepresentations(
  body: Preparable,
  form: AnswerForm = JSON_FORM,
): Representations {
  const { etag, identity, gzip, br } = body;
  const variants = 1 + Number(gzip !== undefined) + Number(br !== undefined);
  const varies = variants > 1;
  return {
    identity: prepareVariant(etag, 'identity', identity, form, varies),
    gzip: gzip && prepareVariant(etag, 'gzip', gzip, form, varies),
    br: br && prepareVariant(etag, 'br', br, form, varies),
    overhead: variants * BYTES_PER_VARIANT,
    compress: null,
  };
}

/** A body that is compressed when somebody asks for it. */
interface CompressibleBody {
  etag: string;
  /** A function makes it when it is asked for first. */
  identity: AnswerContent | (() => AnswerContent);
  /** Where it is compressed already. */
  br?: Buffer;
}

/**
 * The answers that `prepareCompressible` makes. V8 keeps an object with a getter of its own as a
 * dictionary: with many menus, to read a field of it took a hot read half a microsecond.
 */
class Compressible implements Representations {
  br: Variant | undefined;
  gzip: Variant | undefined = undefined;
  readonly overhead = BYTES_PER_VARIANT;
  readonly #etag: string;
  readonly #bytes: CompressibleBody['identity'];
  readonly #onCompressed: (bytes: number) => void;
  #plain: Variant | undefined = undefined;
  #making: Map<Compressed, Promise<void>> | undefined = undefined;
  readonly #form: AnswerForm;

  constructor(
    { etag, identity, br }: CompressibleBody,
    onCompressed: (bytes: number) => void,
    form: AnswerForm,
  ) {
    this.br = br && prepareVariant(etag, 'br', br, form, true);
    this.#form = form;
    this.#etag = etag;
    this.#bytes = identity;
    this.#onCompressed = onCompressed;
  }

  get identity(): Variant {
    if (this.#plain) return this.#plain;
    const bytes = typeof this.#bytes === 'function' ? this.#bytes() : this.#bytes;
    this.#plain = prepareVariant(this.#etag, 'identity', bytes, this.#form, true);
    return this.#plain;
  }

  compress(encoding: Compressed, isAhead = false): Promise<void> {
    this.#making ??= new Map();
    const running = this.#making.get(encoding);
    if (running !== undefined) return running;
    const made = this.#make(encoding, isAhead).finally(() => this.#making?.delete(encoding));
    this.#making.set(encoding, made);
    return made;
  }

  async #make(encoding: Compressed, isAhead: boolean): Promise<void> {
    const body = this.identity.body as AnswerContent;
    const whole = body instanceof JoinedBody ? body.join() : body;
    const bytes = await (isAhead ? compressBeside : compressSoon)(whole, encoding);
    this[encoding] = prepareVariant(this.#etag, encoding, bytes, this.#form, true);
    this.#onCompressed(bytes.length);
  }
}

/**
 * Answers for JSON that is compressed for the first client that asks for an encoding; the clients
 * after it find the bytes ready. Many bodies are never asked for in most encodings.
 *
 * @param onCompressed told how much memory an encoding takes, in bytes
 */
export function prepareCompressible(
  body: CompressibleBody,
  onCompressed: (bytes: number) => void,
  form: AnswerForm = JSON_FORM,
): Representations {
  return new Compressible(body, onCompressed, form);
}

function notModified(variant: Variant): Answer {
  if (variant.notModified) return variant.notModified;
  const { length, shortLines, ownLines } = variant;
  const lines = `${shortLines}\r\n${ownLines}`;
  variant.notModified = answerWith('304 Not Modified', lines, null, length);
  return variant.notModified;
}

/** Of a longer list of tags, in characters, only its beginning is read. */
const MAX_LIST = 4_096;

function heldVariant(resource: Representations, chosen: Variant, ifNoneMatch: string) {
  if (ifNoneMatch.trim() === '*') return chosen;
  // Opaque tags, without their weakness: the comparison is the weak one.
  const tags: string[] = ifNoneMatch.slice(0, MAX_LIST).match(/"[^"]*"/g) ?? [];
  // Plain bytes are a copy for every client: a menu that was read before it was compressed need not
  // be sent again. Another encoding's might be passed on to one that cannot read it.
  return [chosen, resource.identity].find((variant) => tags.includes(variant.etag));
}

/** The answer to a client that has no copy, or this one; null for others, which have to be compared. */
export function simpleAnswer(variant: Variant, ifNoneMatch: string): Answer | null {
  if (ifNoneMatch === '') return variant;
  return ifNoneMatch === variant.etag ? notModified(variant) : null;
}

/** The answer to a client that is to get these bytes: 304 when it has a copy that is still good. */
export function answerIn(resource: Representations, variant: Variant, ifNoneMatch: string): Answer {
  const simple = simpleAnswer(variant, ifNoneMatch);
  if (simple) return simple;
  const held = heldVariant(resource, variant, ifNoneMatch);
  return held ? notModified(held) : variant;
}

/** By the name of a field, which V8 looks up once, and not by a text. */
function variantIn(resource: Representations, encoding: Encoding): Variant | undefined {
  if (encoding === 'br') return resource.br;
  return encoding === 'gzip' ? resource.gzip : resource.identity;
}

/** The bytes for a client that prefers an encoding; undefined when they must be compressed first. */
export function readyVariant(resource: Representations, preferred: Encoding): Variant | undefined {
  const hasOthers = resource.compress !== null || resource.br !== undefined;
  return variantIn(resource, hasOthers ? preferred : 'identity');
}

/**
 * The answer to a GET of `resource`: 304 when the client's copy is still good (RFC 9110, 13.1.2:
 * lists, `*` and weak tags), else the bytes in the best encoding that it accepts. Null when these
 * bytes must be compressed first.
 */
export function selectReady(resource: Representations, conditions: Conditions): Answer | null {
  const variant = readyVariant(resource, preferredEncoding(conditions.acceptEncoding));
  return variant ? answerIn(resource, variant, conditions.ifNoneMatch) : null;
}

/** As `selectReady`, and waits until the bytes are compressed. */
export function selectAnswer(resource: Representations, conditions: Conditions) {
  const ready = selectReady(resource, conditions);
  if (ready) return ready;
  const encoding = preferredEncoding(conditions.acceptEncoding) as Compressed;
  const making = resource.compress?.(encoding);
  return Promise.resolve(making).then(() => {
    const variant = resource[encoding] ?? resource.identity;
    return answerIn(resource, variant, conditions.ifNoneMatch);
  });
}

/** No cache may store it; a client that has seen it may ask whether it is still as it was. */
const TAGGED_FORM = createForm('no-store', { 'Content-Type': JSON_TYPE });

/** The answer with bytes that were made for one request. */
export function taggedAnswer(body: Preparable, conditions: Conditions, form = TAGGED_FORM) {
  return selectAnswer(prepareRepresentations(body, form), conditions);
}
