import { OperatorError } from '../../runtime/operator-error.ts';
import { revokeToken } from '../../sql/access/revoke-token.ts';
import { recordId, slug } from './arguments.ts';
import { defineCommand } from './command.ts';
import { requireTenant } from './find-tenant.ts';

export const tokenRevoke = defineCommand({
  name: 'token revoke',
  usage: '--tenant S --id I',
  summary: 'revoke a token for good',
  entries: { tenant: slug, id: recordId },
  run: async (input, { database }) => {
    const tenantId = await requireTenant(database, input.tenant);
    if (!(await revokeToken(database, tenantId, input.id))) {
      throw new OperatorError(`The tenant ${input.tenant} has no active token ${input.id}.`);
    }
    return { id: input.id, tenant: input.tenant, revoked: true };
  },
});
