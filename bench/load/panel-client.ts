import { request } from 'node:http';
import { createUser } from '../processes/cli.ts';

interface Page {
  status: number;
  /** `name=value` of the cookie that was set, or empty. */
  cookie: string;
  text: string;
}

/** Headers of a browser at the panel of a restaurant. */
export type PanelHeaders = Record<'Host' | 'Cookie' | 'Accept-Encoding', string>;

function send(port: number, path: string, headers: PanelHeaders, form?: string): Promise<Page> {
  const content = form !== undefined && { 'Content-Type': 'application/x-www-form-urlencoded' };
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        ...{ host: '127.0.0.1', port, path, agent: false },
        ...{ method: form === undefined ? 'GET' : 'POST', headers: { ...headers, ...content } },
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () =>
          resolve({
            status: incoming.statusCode ?? 0,
            cookie: incoming.headers['set-cookie']?.[0]?.split(';')[0] ?? '',
            text: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end(form);
  });
}

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
  const { cookie, text } = await send(port, '/admin/sign-in', headers);
  const form = new URLSearchParams(user);
  for (const [, name = '', value = ''] of text.matchAll(HIDDEN)) form.set(name, value);
  const signedIn = await send(port, '/admin/sign-in', { ...headers, Cookie: cookie }, String(form));
  if (signedIn.status !== 303) throw new Error(`signing in: ${signedIn.status}`);
  return { ...headers, Cookie: signedIn.cookie };
}
