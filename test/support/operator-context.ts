import type { ActionContext } from '../../db/actions/action.ts';
import type { Database } from '../../db/postgres/connection.ts';

/** The place of an action that an operator asks for. */
export function operatorContext(database: Database, tenantId: number, slug: string): ActionContext {
  const actor = { kind: 'operator', name: null } as const;
  return { database, tenantId, slug, actor, domain: 'menu.localhost', now: Date.now() };
}
