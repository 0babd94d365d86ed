import { createUser } from '../processes/cli.ts';
import { exchange, type Reply } from './http-call.ts';

/** Headers of a browser at the panel of a restaurant. */
export type PanelHeaders = Record<'Host' | 'Cookie' | 'Accept-Encoding', string>;

/** Asks for a page, or sends a form. */
function send(port: number, path: string, headers: PanelHeaders, form?: string) {
  const content = form !== undefined && {
    ...{ method: 'POST', body: form },
    headers: { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' },
  };
  return exchange(
    { agent: false, port, host: headers.Host },
    { base: '', path, headers, ...content },
  );
}

/** `name=value` of the cookie that was set, or empty. */
const cookieOf = ({ headers }: Reply) => headers['set-cookie']?.[0]?.split(';')[0] ?? '';

/** A page of the panel; throws when it is not 200. */
export async function readPage(port: number, path: string, headers: PanelHeaders): Promise<string> {
  const { status, text } = await send(port, path, headers);
  if (status !== 200) throw new Error(`${path}: ${status}`);
  return text;
}

const HIDDEN = /<input type="hidden" name="(\w+)" value="([^"&]*)">/g;

/** Signs a new user of the restaurant in; returns the headers with which pages are asked for. */
export async function signIn(
  port: number,
  cliEnv: Record<string, string>,
  slug: string,
): Promise<PanelHeaders> {
  const user = { email: `bench-${Date.now()}@example.com`, password: 'only for measuring' };
  await createUser(cliEnv, slug, user);
  const headers = { Host: `${slug}.localhost`, Cookie: '', 'Accept-Encoding': 'identity' };
  const page = await send(port, '/admin/sign-in', headers);
  const form = new URLSearchParams(user);
  for (const [, name = '', value = ''] of page.text.matchAll(HIDDEN)) form.set(name, value);
  const known = { ...headers, Cookie: cookieOf(page) };
  const signedIn = await send(port, '/admin/sign-in', known, String(form));
  if (signedIn.status !== 303) throw new Error(`signing in: ${signedIn.status}`);
  return { ...headers, Cookie: cookieOf(signedIn) };
}
