import type { DemoRestaurant } from '../../db/operator/demo/restaurant.ts';
import type { Database } from '../../db/postgres/connection.ts';
import { type Scope, scopes } from '../../db/schema/token.ts';
import { createUser, findUser } from '../../db/sql/users.ts';
import { noteSecret } from './collected-log.ts';
import { createToken } from './create-token.ts';
import { forFile } from './for-file.ts';
import type { Client, Response } from './http.ts';
import { openWorkedService, type WorkedService } from './menu-service.ts';
import type { OwnParts } from './own-parts.ts';
import { dishOf, openDatabase, plant, restaurantOf, sectionOf, wineryOf } from './restaurant.ts';
import { runSql } from './sql.ts';

const EMAIL = 'iole@example.com';

/** A token of a tenant's panel user, who is created with the first one. */
export async function issueToken(
  db: Database,
  tenantId: number,
  granted: readonly Scope[] = scopes,
): Promise<string> {
  const user = { tenantId, email: EMAIL, passwordHash: 'none' };
  const userId = (await createUser(db, user)) ?? (await findUser(db, tenantId, EMAIL))?.id;
  if (userId === undefined) throw new Error('no user');
  const { token } = await createToken(db, { tenantId, userId, name: 'test', scopes: granted });
  return noteSecret(token);
}

/** Plants a restaurant in a database; its id, a token with all scopes, and its first section's id. */
export async function plantWithToken(url: string, restaurant: DemoRestaurant) {
  const db = await openDatabase(url);
  const tenantId = await plant(db, restaurant);
  const token = await issueToken(db, tenantId);
  await db.end();
  const text = 'select id from sections where tenant_id = $1 order by id limit 1';
  const [section] = await runSql(url, text, [tenantId]);
  return { tenantId, token, sectionId: section?.id as number };
}

/** Sends a request with a token; a body is JSON, but for texts and bytes. */
export type Caller = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Response>;

/** @param prefix of its paths */
export function createCaller(client: Client, prefix: string, token: string): Caller {
  return (method, path, body, headers = {}) =>
    client.send(`${prefix}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        Accept: 'application/json',
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && {
        body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
      }),
    });
}

/** Speaks to the admin API as an integrator does. */
export interface AdminClient {
  /** With paths below `/api/v1/admin`. */
  call: Caller;
  get(path: string): Promise<Response>;
  /** Imports a table of dishes as CSV; `query` begins with its question mark. */
  importTable(table: string | Buffer, query?: string): Promise<Response>;
}

export function createAdminClient(client: Client, token: string): AdminClient {
  const call = createCaller(client, '/api/v1/admin', token);
  return {
    call,
    get: (path) => call('GET', path),
    importTable: (table, query = '') =>
      call('PUT', `/import${query}`, table, { 'Content-Type': 'text/csv' }),
  };
}

/** How many events the restaurant's report counts. */
export const countEvents = async (admin: AdminClient): Promise<number> =>
  (await admin.get('/analytics/overview')).json.data.totals.events;

/** A restaurant to write to, with a worker that does. */
export interface AdminService extends WorkedService {
  /** Of the restaurant, with all scopes. */
  token: string;
  /** Speaks to the restaurant's admin API with that token. */
  admin: AdminClient;
}

/** Two sections, and a wine section. The first has two dishes, a type and a sub-section. */
export const smallRestaurant = restaurantOf('osteria', [
  sectionOf('Antipasti', {
    types: [{ name: { it: 'Freddi' } }, { name: { it: 'Caldi' } }],
    dishes: [dishOf('Olive', { type: 'Freddi', price: 4.5 }), dishOf('Crostini', { price: 6 })],
    children: [sectionOf('Fritti', [dishOf('Supplì', { price: 3 })])],
  }),
  sectionOf('Primi', [dishOf('Gnocchi', { price: 11, allergens: ['latte'] })]),
  sectionOf('Vini', {
    menu_type: 'wine',
    dishes: [dishOf('Vitovska', { price: 24, winery: 'Zidarich' })],
  }),
]);
smallRestaurant.wineries = [wineryOf('Zidarich', { region: 'Carso', country: 'Italia' })];

/** The small restaurant: without parts of its `own`, in what the files of the process share. */
export async function openAdminService(own: OwnParts = {}): Promise<AdminService> {
  const service = await openWorkedService([smallRestaurant], own);
  const token = await issueToken(service.db, service.tenantId);
  // The same object: a test may give it another worker, which its stop ends.
  return Object.assign(service, { token, admin: createAdminClient(service.client, token) });
}

/** As `openAdminService`, stopped with the tests of the file. */
export const adminService = forFile(openAdminService);
