import { listUsers } from '../../sql/access/list-users.ts';
import { slug } from './arguments.ts';
import { defineCommand } from './command.ts';
import { requireTenant } from './find-tenant.ts';

export const userList = defineCommand({
  name: 'user list',
  usage: '--tenant S',
  summary: "list the users of a restaurant's panel",
  entries: { tenant: slug },
  run: async ({ tenant }, { database }) => {
    return listUsers(database, await requireTenant(database, tenant));
  },
});
