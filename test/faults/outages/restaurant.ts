import { setTimeout as sleep } from 'node:timers/promises';
import { issueToken, runCli } from '../../../bench/processes/cli.ts';
import { type Client, createClient } from './client.ts';

/** The restaurant to which changes are sent. */
export interface Tenant {
  host: string;
  /** Grants everything. */
  token: string;
}

export interface Restaurant extends Tenant {
  /** Of the section that takes the dishes. */
  sectionId: number;
}

const SLUG = 'steady';
const SCOPES = 'menu:read,menu:write,analytics:read';
const PER_PAGE = 100;
const PATIENCE_MS = 60_000;
const POLL_MS = 200;

/** Migrates the database and makes a restaurant without a section, and a token for it. */
export async function makeRestaurant(databaseUrl: string): Promise<Tenant> {
  const env = { DATABASE_URL: databaseUrl };
  await runCli(env, 'migrate');
  await runCli(env, 'tenant', 'create', SLUG, '--name', 'Steady');
  return { host: `${SLUG}.localhost`, token: await issueToken(env, SLUG, SCOPES) };
}

const auth = ({ token }: Tenant) => ({ Authorization: `Bearer ${token}` });

/** Makes the section that takes the dishes. */
export async function makeSection(port: number, tenant: Tenant): Promise<Restaurant> {
  const client = createClient(port, tenant.host, 1);
  const body = { name: { it: 'Primi' } };
  const headers = auth(tenant);
  const made = await client.call({ method: 'POST', path: '/admin/categories', headers, body });
  client.close();
  if (made.status !== 201) throw new Error(`no section was made: ${made.status} ${made.text}`);
  return { ...tenant, sectionId: JSON.parse(made.text).data.id };
}

async function readNames(client: Client): Promise<string[]> {
  const names: string[] = [];
  for (let page = 1; ; page += 1) {
    const answer = await client.call({ path: `/items?per_page=${PER_PAGE}&page=${page}` });
    if (answer.status !== 200) throw new Error(`/items answered ${answer.status}`);
    const { data, meta } = JSON.parse(answer.text);
    names.push(...data.map(({ name }: { name: string }) => name));
    if (page >= meta.last_page) return names;
  }
}

export interface Kept {
  /** Promised and not there. */
  missing: number;
  /** There more often than once. */
  doubled: number;
}

/** Looks again and again until there is a result; a look that is late has to give one. */
async function lookUntil<T>(
  port: number,
  host: string,
  look: (client: Client, isLate: () => boolean) => Promise<T | null>,
): Promise<T> {
  const client = createClient(port, host, 1);
  const bound = Date.now() + PATIENCE_MS;
  try {
    for (;;) {
      const found = await look(client, () => Date.now() > bound);
      if (found !== null) return found;
      await sleep(POLL_MS);
    }
  } finally {
    client.close();
  }
}

/** Compares the dishes that were promised with those that the public sees, when these are there. */
export const countKept = (port: number, host: string, promised: readonly string[]) =>
  lookUntil(port, host, async (client, isLate): Promise<Kept | null> => {
    const names = await readNames(client);
    const present = new Set(names);
    const missing = promised.filter((name) => !present.has(name)).length;
    // A write that was answered 202 may take a moment.
    return missing === 0 || isLate() ? { missing, doubled: names.length - present.size } : null;
  });

/** Events in the restaurant's report, once they are `expected`, or have not become so many. */
export const countEvents = (port: number, restaurant: Restaurant, expected: number) =>
  lookUntil(port, restaurant.host, async (client, isLate): Promise<number | null> => {
    const call = { path: '/admin/analytics/overview', headers: auth(restaurant) };
    const { status, text } = await client.call(call);
    const late = isLate();
    if (status !== 200 && late) throw new Error(`the report answered ${status}`);
    const counted: number = status === 200 ? JSON.parse(text).data.totals.events : -1;
    return counted >= expected || late ? counted : null;
  });
