import { listTenants } from '../../sql/tenants/list-tenants.ts';
import { defineCommand } from './command.ts';

export const tenantList = defineCommand({
  name: 'tenant list',
  usage: '',
  summary: 'list the restaurants',
  entries: {},
  run: (_input, { database }) => listTenants(database),
});
