import { OperatorError } from '../../runtime/operator-error.ts';
import { hashPassword } from '../../schema/password.ts';
import { createUser, deleteUser, listUsers, setPassword } from '../../sql/users.ts';
import { email, slug } from './arguments.ts';
import { defineCommand } from './command.ts';
import { passwordHelp, readPassword } from './password.ts';
import { requireTenant } from './tenants.ts';

export function noUser(tenant: string, email: string): OperatorError {
  return new OperatorError(`The tenant ${tenant} has no user ${email}.`);
}

const userCreate = defineCommand({
  name: 'user create',
  usage: '--tenant S --email E',
  summary: "create a user of a restaurant's panel",
  help: passwordHelp,
  entries: { tenant: slug, email },
  run: async (input, { database, ask }) => {
    const tenantId = await requireTenant(database, input.tenant);
    const passwordHash = await hashPassword(await readPassword(ask));
    const id = await createUser(database, { tenantId, email: input.email, passwordHash });
    if (id === null) {
      throw new OperatorError(`The tenant ${input.tenant} has a user ${input.email} already.`);
    }
    return { id, tenant: input.tenant, email: input.email };
  },
});

const userList = defineCommand({
  name: 'user list',
  usage: '--tenant S',
  summary: "list the users of a restaurant's panel",
  entries: { tenant: slug },
  run: async ({ tenant }, { database }) =>
    listUsers(database, await requireTenant(database, tenant)),
});

const userPassword = defineCommand({
  name: 'user password',
  usage: '--tenant S --email E',
  summary: "give a user of a restaurant's panel another password; the user's tokens stay",
  help: passwordHelp,
  entries: { tenant: slug, email },
  run: async (input, { database, ask }) => {
    const tenantId = await requireTenant(database, input.tenant);
    const passwordHash = await hashPassword(await readPassword(ask));
    if (!(await setPassword(database, { tenantId, email: input.email, passwordHash }))) {
      throw noUser(input.tenant, input.email);
    }
    return { tenant: input.tenant, email: input.email, changed: true };
  },
});

const userDelete = defineCommand({
  name: 'user delete',
  usage: '--tenant S --email E',
  summary: "delete a user of a restaurant's panel, and the user's tokens",
  entries: { tenant: slug, email },
  run: async (input, { database }) => {
    const tenantId = await requireTenant(database, input.tenant);
    if (!(await deleteUser(database, tenantId, input.email))) {
      throw noUser(input.tenant, input.email);
    }
    return { tenant: input.tenant, email: input.email, deleted: true };
  },
});

export const userCommands = [userCreate, userList, userPassword, userDelete];
