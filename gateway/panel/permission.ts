import { mayDo, type Role } from '../../db/schema/person.ts';
import type { Scope } from '../../db/schema/token.ts';
import type { Write } from '../../db/schema/write.ts';
import { ForbiddenError } from '../http/errors.ts';

// The rights of people in the panel. A page needs a scope, as a route of the API does; a write is
// decided by the fields that it changes, whatever page it comes from.

/** Pages by the beginning of their path, with the scope that each needs; null: everybody's. */
const PAGE_SCOPES: readonly (readonly [path: string, scope: Scope | null])[] = [
  ['/admin/account', null],
  ['/admin/service', 'availability:write'],
  ['/admin/statistics', 'analytics:read'],
  ['/admin/qr', 'menu:read'],
  ['/admin/print', 'menu:read'],
  ['/admin/checklist', 'menu:read'],
  ['/admin/people', 'users:write'],
  ['/admin/api-tokens', 'users:write'],
  ['/admin/webhooks', 'users:write'],
  ['/admin/hosts', 'users:write'],
];

/** The scope of pages that the list does not name: they are about the menu. */
const MENU_PAGE: Scope = 'menu:write';

/** The scope that a page needs; null for one that everybody may open. */
function pageScope(path: string): Scope | null {
  const found = PAGE_SCOPES.find(([begin]) => {
    return path === begin || path.startsWith(`${begin}/`) || path.startsWith(`${begin}.`);
  });
  return found ? found[1] : MENU_PAGE;
}

/** Whether somebody in a role may open a page. */
export function mayOpen(role: Role, path: string): boolean {
  const scope = pageScope(path);
  return scope === null || mayDo(role, scope);
}

/** Where somebody in a role begins. */
export function firstPage(role: Role): string {
  return mayOpen(role, '/admin') ? '/admin' : '/admin/service';
}

type Asked = Pick<Write, 'resource' | 'action' | 'input'>;

/** The scope that a write needs. */
function writeScope({ resource, action, input }: Asked): Scope {
  const fields = Object.keys(input);
  const isAvailability =
    resource === 'items' && action === 'change' && fields.every((one) => one === 'sold_out_until');
  return isAvailability && fields.length > 0 ? 'availability:write' : 'menu:write';
}

/** @throws ForbiddenError when somebody in a role may not do this write */
export function permitWrite(role: Role, asked: Asked): void {
  if (!mayDo(role, writeScope(asked))) throw new ForbiddenError();
}
