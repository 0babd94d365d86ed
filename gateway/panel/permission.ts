import { areAvailabilityFields, isAvailabilityOperation } from '../../db/schema/availability.ts';
import { RIGHTS, type RightsPart } from '../../db/schema/rights.ts';
import { mayDo, type Role } from '../../db/schema/user.ts';
import type { AskedWrite } from '../../db/schema/write.ts';
import { ForbiddenError } from '../http/errors.ts';

// The rights of people in the panel. A page needs the scope of its part, as a route of the API does. A
// write is decided by the fields that it changes, whatever page it comes from.

/** Pages by the beginning of their path, with their part; null: everybody's. Others are of the menu. */
const PAGE_PARTS: readonly (readonly [path: string, part: RightsPart | null])[] = [
  ['/admin/account', null],
  ['/admin/service', 'availability'],
  ['/admin/statistics', 'statistics'],
  ['/admin/people', 'people'],
  ['/admin/api-tokens', 'tokens'],
  ['/admin/webhooks', 'webhooks'],
  ['/admin/hosts', 'hosts'],
];

/** The part of a restaurant that a page is about; null for one that everybody may open. */
export function pagePart(path: string): RightsPart | null {
  const found = PAGE_PARTS.find(([begin]) => path === begin || path.startsWith(`${begin}/`));
  return found ? found[1] : 'menu';
}

/** Whether somebody in a role may open a page. */
export function mayOpen(role: Role, path: string): boolean {
  const part = pagePart(path);
  return part === null || mayDo(role, RIGHTS[part].write);
}

/** Where somebody in a role begins. */
export function firstPage(role: Role): string {
  return mayOpen(role, '/admin') ? '/admin' : '/admin/service';
}

/** Whether a write says what is available, and nothing else. */
function isOfAvailability({ resource, action, input = {}, document }: AskedWrite): boolean {
  if (resource === 'items' && action === 'change') return areAvailabilityFields(Object.keys(input));
  if (resource !== 'menu' || action !== 'bulk' || !document) return false;
  const { operations } = JSON.parse(document.toString()) as { operations: unknown[] };
  return operations.every(isAvailabilityOperation);
}

/** @throws ForbiddenError when somebody in a role may not do this write */
export function permitWrite(role: Role, asked: AskedWrite): void {
  if (mayDo(role, RIGHTS.menu.write)) return;
  const isAllowed = mayDo(role, RIGHTS.availability.write) && isOfAvailability(asked);
  if (!isAllowed) throw new ForbiddenError();
}
