// Every operation of the API and every page of the panel, with every role and scope: generated from the
// declarations, and compared with the roles in DESIGN.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { RIGHTS, type RightsPart } from '../../db/schema/rights.ts';
import { type Scope, scopes } from '../../db/schema/token.ts';
import { type Role, roles } from '../../db/schema/user.ts';
import { createUser } from '../../db/sql/users.ts';
import { pagePart } from '../../gateway/panel/permission.ts';
import { adminService } from '../support/admin.ts';
import { createToken } from '../support/create-token.ts';
import { nowhere, operations, scopesOf } from '../support/documented-operations.ts';
import { createVisitor, passwordHash } from '../support/panel.ts';
import { DESK_PATHS, plantPages } from '../support/panel-paths.ts';
import { often } from '../support/thorough.ts';

/** The scopes of each role, as DESIGN says; `menu:write` includes availability and prices. */
const TABLE: Record<Role, readonly Scope[]> = {
  owner: scopes,
  editor: ['menu:read', 'menu:write', 'availability:write', 'prices:write', 'analytics:read'],
  service: ['availability:write'],
};
/** Pages that are not open to everybody who changes the menu. */
const OWNERS = /^\/admin\/(people|api-tokens|webhooks|hosts)(\/|$)/;
const EVERYBODYS = /^\/admin\/(account|service)(\/|$)/;

/** Routes by the beginning of their path; all others below `/admin` are of the menu. */
const ROUTE_PARTS: Readonly<Record<string, RightsPart>> = {
  users: 'people',
  hosts: 'hosts',
  webhooks: 'webhooks',
  analytics: 'statistics',
};

const guarded = operations.filter(({ operation }) => scopesOf(operation).length > 0);
/** A token asks for one operation of so many; all are asked for by others. */
const PART = often(3, 1);

const service = await adminService();
const users = new Map<Role, number>();

before(async () => {
  const { db, tenantId } = service;
  for (const role of roles) {
    const user = { tenantId, email: `${role}@osteria.example`, passwordHash, role };
    users.set(role, Number(await createUser(db, user)));
  }
  await plantPages(service);
});

/** A token's scopes: `menu:write` is more than its name. */
const withIncluded = (scope: Scope): Scope[] =>
  scope === 'menu:write' ? [scope, 'availability:write', 'prices:write'] : [scope];

test('routes and pages of a part need the scopes that the table of rights gives', () => {
  for (const { template, method, operation } of operations) {
    const needed = scopesOf(operation);
    if (needed.length === 0) continue;
    const rights = RIGHTS[ROUTE_PARTS[template.split('/')[2] ?? ''] ?? 'menu'];
    const own: Scope[] = [rights.read, rights.write, ...withIncluded(rights.write)];
    const isRight = needed.every((scope) => own.includes(scope));
    assert.ok(isRight, `${method} ${template}: ${needed}`);
  }
  for (const path of DESK_PATHS) {
    const part = pagePart(path);
    const scope = part && RIGHTS[part].write;
    assert.equal(OWNERS.test(path), scope !== null && !TABLE.editor.includes(scope), path);
  }
});

for (const role of roles) {
  test(`a token of the role ${role} may do what both its scope and the role allow`, async () => {
    const { db, tenantId, client } = service;
    for (const [turn, scope] of scopes.entries()) {
      const userId = users.get(role) as number;
      const token = await createToken(db, { tenantId, userId, name: scope, scopes: [scope] });
      const effective = withIncluded(scope).filter((one) => TABLE[role].includes(one));
      for (const one of guarded.filter((_, at) => (at + turn) % PART === 0)) {
        const headers = { Authorization: `Bearer ${token.token}` };
        const path = `/api/v1${nowhere(one)}`;
        const { status } = await client.send(path, { method: one.method, headers });
        const isAllowed = effective.some((granted) => scopesOf(one.operation).includes(granted));
        const what = `${role} ${scope} ${one.method} ${path}: ${status}`;
        assert.equal(status !== 403, isAllowed, what);
      }
    }
  });

  test(`somebody in the role ${role} opens the pages of the role, and no others`, async () => {
    const visitor = createVisitor(service.client);
    await visitor.signIn(`${role}@osteria.example`);
    assert.ok(DESK_PATHS.length > 20);
    for (const path of DESK_PATHS) {
      const { status } = await visitor.get(path);
      const isOwners = OWNERS.test(path);
      const isAllowed =
        role === 'owner' || EVERYBODYS.test(path) || (role === 'editor' && !isOwners);
      // The way to the panel leads everybody to their own first page.
      const isRefused = path === '/admin' ? status === 303 : status === 403;
      assert.equal(!isRefused, isAllowed, `${role} ${path}: ${status}`);
      // The restaurant has one of everything that a page shows, except a photo.
      const answer = path === '/admin/photos/1' ? 404 : 200;
      if (isAllowed) assert.equal(status, answer, `${role} ${path}`);
    }
  });
}
