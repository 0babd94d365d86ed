import { execSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** A part of a request that may be switched off. */
interface Part {
  key: string;
  value: string;
  disabled?: boolean;
}

interface CollectionRequest {
  method: string;
  url: { path: string[]; query?: Part[]; variable?: Part[] };
  header: Part[];
  auth?: { type: string } | null;
  body?: { raw?: string };
}

/** A folder of a collection, or a request. */
interface Item {
  name: string;
  item?: Item[];
  request?: CollectionRequest;
}

/** The parts that are sent, as pairs of name and value. */
const pairs = (parts: Part[] = []) =>
  parts
    .filter(({ disabled }) => disabled !== true)
    .map(({ key, value }): [string, string] => [key, value]);

function requestsOf(item: Item): { name: string; request: CollectionRequest }[] {
  const { name, request } = item;
  return [...(request ? [{ name, request }] : []), ...(item.item ?? []).flatMap(requestsOf)];
}

/** Sends a request of the collection as it came, and says its status. */
async function send(api: string, token: string, { request }: { request: CollectionRequest }) {
  const { method, url, header, auth, body } = request;
  const named = new Map(url.variable?.map(({ key, value }) => [`:${key}`, value]));
  const path = url.path.map((part) => encodeURIComponent(named.get(part) ?? part)).join('/');
  const query = new URLSearchParams(pairs(url.query));
  const headers = new Headers(pairs(header));
  if (auth?.type === 'bearer') headers.set('Authorization', `Bearer ${token}`);
  const signal = AbortSignal.timeout(30_000);
  const sent = { method, headers, signal, ...(body?.raw && { body: body.raw }) };
  const answer = await fetch(`${api}/${path}?${query}`, sent);
  await answer.body?.cancel();
  return answer.status;
}

/**
 * Makes a collection by the command of `npm run collection`, and sends each request as it came: examples
 * are valid, and nothing that may be left out is sent.
 *
 * @param folder has `openapi.json`
 * @param api the address of the API, which this machine finds
 */
export async function judgeCollection(folder: string, api: string, token: string) {
  const root = resolve(import.meta.dirname, '../..');
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const [, command = ''] = String(scripts.collection).split('&& exec ');
  execSync(command, { cwd: folder, stdio: 'ignore' });
  const collection: Item = JSON.parse(await readFile(join(folder, 'collection.json'), 'utf8'));
  const statuses = new Map<number, string[]>();
  for (const one of requestsOf(collection)) {
    const status = await send(api, token, one);
    statuses.set(status, [...(statuses.get(status) ?? []), one.name]);
  }
  const counts = [...statuses].map(([status, { length }]) => `${length} × ${status}`);
  // An example names a record that need not be there, and a photo of text is none.
  const isFine = (status: number) => status < 400 || [404, 409, 410, 422].includes(status);
  const wrong = [...statuses].filter(([status]) => !isFine(status));
  const refused = statuses.get(422) ?? [];
  console.log(`collection: ${counts.join(', ')}; 422: ${refused.join('; ')}`);
  for (const [status, names] of wrong) console.log(`${status}: ${names.join('; ')}`);
  return wrong.length === 0 && (statuses.get(201)?.length ?? 0) > 0;
}
