import { listTokens } from '../../sql/access/list-tokens.ts';
import { slug } from './arguments.ts';
import { defineCommand } from './command.ts';
import { requireTenant } from './find-tenant.ts';

export const tokenList = defineCommand({
  name: 'token list',
  usage: '--tenant S',
  summary: "list a restaurant's tokens, the revoked ones last; their values are not kept",
  entries: { tenant: slug },
  run: async ({ tenant }, { database }) => {
    const tenantId = await requireTenant(database, tenant);
    return listTokens(database, tenantId, Number.MAX_SAFE_INTEGER);
  },
});
