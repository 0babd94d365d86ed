import type { Database } from '../../db/connection.ts';
import { createToken } from '../../db/queries/create-token.ts';
import { createUser } from '../../db/queries/create-user.ts';
import { findUser } from '../../db/queries/find-user.ts';
import { type Scope, scopes } from '../../db/records/scope.ts';
import type { Client, Response } from './http.ts';

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
  return token;
}

/** Speaks to the admin API as an integrator does. */
export interface AdminClient {
  /** @param path below `/api/v1/admin` */
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Response>;
  get(path: string): Promise<Response>;
}

export function createAdminClient(client: Client, token: string): AdminClient {
  const call: AdminClient['call'] = (method, path, body, headers = {}) =>
    client.send(`/api/v1/admin${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        Accept: 'application/json',
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  return { call, get: (path) => call('GET', path) };
}
