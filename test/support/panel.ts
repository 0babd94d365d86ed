import { hash } from '@node-rs/argon2';
import type { Database } from '../../db/postgres/connection.ts';
import { createUser } from '../../db/sql/users.ts';
import { noteSecret } from './collected-log.ts';
import { asResponse, type Client, type Response } from './http.ts';
import { formOf, hiddenField, plainText } from './page-forms.ts';

/** The user who signs in to the panel in our tests. */
export const EMAIL = 'iole@trattoria.example';
export const PASSWORD = noteSecret('pane, burro e alici');

/** Of that password, with less work for who guesses: tests sign in a thousand times. */
export const passwordHash = await hash(PASSWORD, { memoryCost: 8, timeCost: 1, parallelism: 1 });

/** Gives a restaurant a panel user, and returns the user's id. */
export async function addUser(db: Database, tenantId: number, email = EMAIL): Promise<number> {
  const id = await createUser(db, { tenantId, email, passwordHash });
  if (id === null) throw new Error(`${email} is there already`);
  return id;
}

/** A browser's cookie jar and little more: what an attacker has, too. */
export interface Visitor {
  /** `name=value`, or empty; can be set. */
  cookie: string;
  /** The page that was shown last, from which forms take their hidden fields. */
  page: Response;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  /** Sends a form with the hidden fields of the last page, unless `fields` has others. */
  post(
    path: string,
    fields: Record<string, string | string[]>,
    headers?: Record<string, string>,
  ): Promise<Response>;
  /** Opens a page, and sends its form. */
  submit: Visitor['post'];
  /** Opens a page, and sends its form of a `kind` of `formOf` as it is, but for the `fields`. */
  edit(path: string, fields: Record<string, string | string[]>, kind?: string): Promise<Response>;
  /** Opens the page to which the answer of a form leads. */
  follow(answer: Response, headers?: Record<string, string>): Promise<Response>;
  /** Presses the button of a page that takes a change back, and opens the page to which it leads. */
  undo(page: Response): Promise<Response>;
  /** As `post`, as `multipart/form-data`, with a file perhaps. */
  upload(
    path: string,
    fields: Record<string, string | string[]>,
    file: { name: string; bytes: Buffer; field?: string } | null,
    headers?: Record<string, string>,
  ): Promise<Response>;
  signIn(email?: string, password?: string): Promise<Response>;
}

const HIDDEN = /<input type="hidden" name="(\w+)" value="([^"]*)">/g;

function hiddenFields(page: Response): Record<string, string> {
  return Object.fromEntries(
    Array.from(page.text.matchAll(HIDDEN), ([, name = '', value = '']) => [name, plainText(value)]),
  );
}

function encode(fields: Record<string, string | string[]>): string {
  const pairs = Object.entries(fields).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  );
  return new URLSearchParams(pairs).toString();
}

/** Visits the panel that `client` speaks to. */
export function createVisitor(client: Client): Visitor {
  const send = async (path: string, options: Parameters<Client['send']>[1] = {}) => {
    const headers = { ...(visitor.cookie && { Cookie: visitor.cookie }), ...options.headers };
    const response = await client.send(path, { ...options, headers });
    const [cookie] = response.headers['set-cookie']?.split(';') ?? [];
    if (cookie) visitor.cookie = cookie;
    if (response.headers['content-type']?.startsWith('text/html')) visitor.page = response;
    return response;
  };
  const visitor: Visitor = {
    cookie: '',
    page: asResponse(0, {}, Buffer.alloc(0)),
    get: (path, headers = {}) => send(path, { headers }),
    post: (path, fields, headers = {}) =>
      send(path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
        body: encode({ ...hiddenFields(visitor.page), ...fields }),
      }),
    submit: async (path, ...form) => {
      await visitor.get(path);
      return visitor.post(path, ...form);
    },
    edit: async (path, fields, kind) => {
      const page = (await visitor.get(path)).expect(200);
      return visitor.post(path, { ...formOf(page.text, kind), ...fields });
    },
    follow: async (answer, headers) =>
      visitor.get(answer.expect(303).headers.location ?? '', headers),
    undo: async ({ text }) =>
      visitor.follow(
        await visitor.post('/admin/menu/undo', { change: hiddenField(text, 'change') }),
      ),
    upload: async (path, fields, file, headers = {}) => {
      const form = new FormData();
      for (const [name, values] of Object.entries({ ...hiddenFields(visitor.page), ...fields })) {
        if (name !== file?.field) for (const value of [values].flat()) form.append(name, value);
      }
      if (file) form.set(file.field ?? 'file', new Blob([file.bytes]), file.name);
      const request = new globalThis.Response(form);
      const type = request.headers.get('content-type') ?? '';
      return send(path, {
        method: 'POST',
        headers: { 'Content-Type': type, ...headers },
        body: Buffer.from(await request.arrayBuffer()),
      });
    },
    signIn: (email = EMAIL, password = PASSWORD) =>
      visitor.submit('/admin/sign-in', { email, password }),
  };
  return visitor;
}

/** A visitor who has signed in to the panel that `client` speaks to. */
export async function signedIn(
  client: Client,
  email = EMAIL,
  password = PASSWORD,
): Promise<Visitor> {
  const visitor = createVisitor(client);
  (await visitor.signIn(email, password)).expect(303);
  return visitor;
}

export const italian = { 'Accept-Language': 'it' };

/** The text of a page of the panel in Italian. */
export async function pageText(visitor: Visitor, path: string): Promise<string> {
  return plainText((await visitor.get(path, italian)).expect(200).text);
}

/** The value that a page's banner shows, or undefined. */
export function shownToken(page: Response): string | undefined {
  return /<textarea[^>]*>([^<]*)<\/textarea>/.exec(page.text)?.[1];
}
