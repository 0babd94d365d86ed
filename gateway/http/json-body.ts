import { UnsupportedTypeError } from '../errors.ts';

const JSON_TYPE = /^application\/([\w.-]+\+)?json\s*(;|$)/i;
/** As which pages may send JSON without asking first: so do beacons. */
const PLAIN_TYPE = /^text\/plain\s*(;|$)/i;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The JSON value of a request's body, or undefined when it is empty or malformed.
 *
 * @param plain whether JSON may also come as plain text
 * @throws UnsupportedTypeError when the body says that it is something else, such as a form
 */
export function parseJsonBody(
  headers: ReadonlyMap<string, string>,
  body: Buffer,
  plain = false,
): unknown {
  const type = headers.get('content-type')?.trim() ?? '';
  const isJson = type === '' || JSON_TYPE.test(type) || (plain && PLAIN_TYPE.test(type));
  if (!isJson) throw new UnsupportedTypeError();
  try {
    return JSON.parse(utf8.decode(body));
  } catch (error) {
    // Neither text nor JSON: which of the two does not matter to the rules that follow.
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}
