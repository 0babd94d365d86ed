// The doors by which an owner or an integrator changes a menu, each insisted on until it is promised.
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createAdminClient } from '../../support/admin.ts';
import { callCli } from '../../support/cli.ts';
import { createClient, type Response } from '../../support/http.ts';
import { formOf, hiddenField } from '../../support/page-forms.ts';
import { createVisitor, type Visitor } from '../../support/panel.ts';
import { until } from '../../support/until.ts';
import { insist } from '../insist.ts';

/** The restaurant that a writer writes to. */
export interface Place {
  port: number;
  slug: string;
  token: string;
  sectionId: number;
  databaseUrl: string;
  /** For the documents of the CLI. */
  folder: string;
}

/** Dishes by name that were promised, and dishes that were promised to be gone. */
interface Promised {
  made: string[];
  gone: string[];
  /** Dishes that no page told of. */
  unknown?: string[];
  /** How many pages said that the change is saved. */
  saved?: number;
}

/** One change through a door; what it names is promised when it resolves. */
export type Door = (place: Place, label: string) => Promise<Promised>;

/** A busy machine needs minutes to start what was killed. */
const PATIENCE_MS = 900_000;

function checked(reply: Response, ...statuses: number[]): Response {
  if (statuses.includes(reply.status)) return reply;
  throw new Error(`${reply.status} for ${statuses.join(' or ')}: ${reply.text.slice(0, 500)}`);
}

/** The restaurant's admin API; each call has a key by which a repeat is known. */
function api({ port, slug, token }: Place) {
  const admin = createAdminClient(createClient(port, `${slug}.localhost`), token);
  return (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const key = { 'Idempotency-Key': randomUUID(), ...headers };
    return insist(() => admin.call(method, path, body, key), PATIENCE_MS);
  };
}

const dish = ({ sectionId }: Place, name: string) => ({
  category_id: sectionId,
  name: { it: name },
  price: 9,
});

const single: Door = async (place, label) => {
  const call = api(place);
  const made = checked(await call('POST', '/items', dish(place, label)), 201);
  const { id } = made.json.data;
  checked(await call('PATCH', `/items/${id}`, { price: 12.5 }), 200);
  return { made: [label], gone: [] };
};

const deletion: Door = async (place, label) => {
  const call = api(place);
  const made = checked(await call('POST', '/items', dish(place, label)), 201);
  checked(await call('DELETE', `/items/${made.json.data.id}`), 200, 204);
  return { made: [], gone: [label] };
};

const bulk: Door = async (place, label) => {
  const names = [1, 2, 3].map((at) => `${label} ${at}`);
  const operations = names.map((name) => ({
    ...{ resource: 'items', action: 'create', data: dish(place, name) },
  }));
  checked(await api(place)('POST', '/bulk', { operations }), 200);
  return { made: names, gone: [] };
};

function documentOf(label: string): { names: string[]; document: object } {
  const names = [1, 2, 3].map((at) => `${label} ${at}`);
  const items = names.map((name) => ({
    ...{ external_id: name, category_external_id: 'primi', name: { it: name }, price: 8 },
  }));
  const categories = [{ external_id: 'primi', name: { it: 'Primi' } }];
  return { names, document: { format: 'lavagna-menu/1', categories, items } };
}

const jsonImport: Door = async (place, label) => {
  const { names, document } = documentOf(label);
  checked(await api(place)('PUT', '/import', document), 200);
  return { made: names, gone: [] };
};

const csvImport: Door = async (place, label) => {
  const { names } = documentOf(label);
  const rows = names.map((name) => `${name},primi,${name},8`);
  const table = ['external_id,category_external_id,name_it,price', ...rows].join('\n');
  const type = { 'Content-Type': 'text/csv' };
  checked(await api(place)('PUT', '/import', table, type), 200);
  return { made: names, gone: [] };
};

/** Opens a page of the panel after a sign-in. */
async function open({ port, slug }: Place, path: string): Promise<Visitor> {
  const visitor = createVisitor(createClient(port, `${slug}.localhost`));
  const isOpen = async () => {
    await visitor.signIn().catch(() => null);
    return (await visitor.get(path).catch(() => null))?.status === 200;
  };
  await until('the panel does not open', isOpen, PATIENCE_MS);
  return visitor;
}

/**
 * Sends a form until a page says what became of it; one that is late is asked as a browser asks it.
 * Resolves whether the page to which it leads says that it is done.
 */
async function isSaved(visitor: Visitor, path: string, fields: Parameters<Visitor['post']>[1]) {
  const post = () => visitor.post(path, fields);
  const { headers } = checked(await insist(post, PATIENCE_MS), 303);
  const told = await insist(() => visitor.get(headers.location ?? ''), PATIENCE_MS);
  return /class="notice good"/.test(told.text);
}

/** Saves the form of a new dish. Null where no page says that it is saved. */
async function addByForm(place: Place, label: string): Promise<Visitor | null> {
  const path = `/admin/menu/items/new?section=${place.sectionId}`;
  const visitor = await open(place, path);
  const fields = { ...formOf(visitor.page.text), do: 'save', 'name.it': label, price: '7' };
  return (await isSaved(visitor, path, fields)) ? visitor : null;
}

const panel: Door = async (place, label) =>
  (await addByForm(place, label))
    ? { made: [label], gone: [], saved: 1 }
    : { made: [], gone: [], unknown: [label] };

/** The form of a dish that is there, with another name. */
const rename: Door = async (place, label) => {
  const made = checked(await api(place)('POST', '/items', dish(place, label)), 201);
  const path = `/admin/menu/items/${made.json.data.id}`;
  const visitor = await open(place, path);
  const named = `${label} again`;
  const fields = { ...formOf(visitor.page.text), do: 'save', 'name.it': named };
  return (await isSaved(visitor, path, fields))
    ? { made: [named], gone: [label], saved: 1 }
    : { made: [], gone: [], unknown: [label, named] };
};

/** The button "undo" of the message after a save. */
const undo: Door = async (place, label) => {
  const unknown = { made: [], gone: [], unknown: [label] };
  const visitor = await addByForm(place, label);
  const change = visitor && hiddenField(visitor.page.text, 'change');
  if (!change) return unknown;
  return (await isSaved(visitor, '/admin/menu/undo', { change }))
    ? { made: [], gone: [label], saved: 2 }
    : unknown;
};

/** The operator's command; a repeat finds its records by their external ids. */
const cli: Door = async (place, label) => {
  const { names, document } = documentOf(label);
  const file = join(place.folder, `${place.slug}.json`);
  await writeFile(file, JSON.stringify(document));
  const env = { DATABASE_URL: place.databaseUrl };
  await until('the command fails again and again', async () => {
    return (await callCli(['menu', 'import', place.slug, file], env)).code === 0;
  });
  return { made: names, gone: [] };
};

export const doors: Readonly<Record<string, Door>> = {
  ...{ single, deletion, bulk, jsonImport, csvImport, undo, panel, rename, cli },
};
