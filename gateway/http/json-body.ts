import { UnsupportedTypeError } from '../errors.ts';

const FORM = /^\s*(application\/x-www-form-urlencoded|multipart\/form-data)\b/i;

/**
 * A request's body as JSON; undefined when it is none: then the rules of its fields say what is
 * missing. Anything but a form is read as JSON, since browsers send beacons as plain text.
 *
 * @throws UnsupportedTypeError for forms
 * @throws TooLargeError when it is longer than is allowed
 */
export async function readJson(
  headers: ReadonlyMap<string, string>,
  body: Promise<Buffer>,
): Promise<unknown> {
  if (FORM.test(headers.get('content-type') ?? '')) throw new UnsupportedTypeError();
  const text = (await body).toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
