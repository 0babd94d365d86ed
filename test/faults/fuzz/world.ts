import { createExchange, type FuzzAnswer } from './exchange.ts';

/** The world of the requests: a Lavagna with one restaurant whose ids and tokens they know. */
export interface World {
  port: number;
  /** Of the restaurant that has everything below, and of one that has not. */
  host: string;
  otherHost: string;
  /** With every scope, with `menu:read` alone, and one of the other restaurant. */
  token: string;
  readToken: string;
  otherToken: string;
  /** A login of the restaurant's panel. */
  email: string;
  password: string;
}

/** The cookies and the form token of a signed-in browser. */
export interface Session {
  cookie: string;
  formToken: string;
}

function formTokenOf({ body }: FuzzAnswer): string {
  return /name="form_token" value="([^"]*)"/.exec(body.toString())?.[1] ?? '';
}

function cookieOf({ headers }: FuzzAnswer): string {
  return String(headers['set-cookie'] ?? '').split(';')[0] ?? '';
}

/** Signs in to the panel, as a browser does. */
export async function signIn({ port, host, email, password }: World): Promise<Session> {
  const { send, stop } = createExchange(port);
  const visit = (path: string, cookie: string, form?: Record<string, string>) =>
    send({
      method: form ? 'POST' : 'GET',
      path: `/admin/${path}`,
      headers: {
        Host: host,
        Cookie: cookie,
        ...(form && { 'Content-Type': 'application/x-www-form-urlencoded' }),
      },
      body: Buffer.from(new URLSearchParams(form).toString()),
    });
  const door = await visit('sign-in', '');
  const form = { email, password, form_token: formTokenOf(door) };
  const entered = await visit('sign-in', cookieOf(door), form);
  if (entered.status !== 303) throw new Error(`signing in was answered ${entered.status}`);
  const cookie = cookieOf(entered);
  const formToken = formTokenOf(await visit('api-tokens', cookie));
  stop();
  return { cookie, formToken };
}
