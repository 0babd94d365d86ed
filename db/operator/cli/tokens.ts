import { constants } from '../../runtime/constants.ts';
import { OperatorError } from '../../runtime/operator-error.ts';
import { mayDo } from '../../schema/role.ts';
import { createToken, listTokens, revokeToken, TooManyTokensError } from '../../sql/tokens.ts';
import { findUser } from '../../sql/users.ts';
import { email, label, recordId, scopeList, slug } from './arguments.ts';
import { defineCommand } from './command.ts';
import { requireTenant } from './tenants.ts';
import { noUser } from './users.ts';

const tokenCreate = defineCommand({
  name: 'token create',
  usage: '--tenant S --user E --name N --scopes a,b',
  summary: 'create a token; its value is shown this once',
  entries: {
    tenant: slug,
    user: email,
    name: label(constants.maxTokenNameLength),
    scopes: scopeList,
  },
  run: async (input, { database }) => {
    const tenantId = await requireTenant(database, input.tenant);
    const user = await findUser(database, tenantId, input.user);
    if (user === null) throw noUser(input.tenant, input.user);
    const { name, scopes } = input;
    const beyond = scopes.filter((scope) => !mayDo(user.role, scope));
    if (beyond.length > 0) {
      throw new OperatorError(
        `${user.email} is ${user.role} and may not have a token with ${beyond.join(', ')}.`,
      );
    }
    const token = { tenantId, userId: user.id, name, scopes };
    const created = await database
      .transaction((db) => createToken(db, token))
      .catch((error) => {
        if (!(error instanceof TooManyTokensError)) throw error;
        const full = `The tenant ${input.tenant} has ${constants.maxActiveTokens} active tokens already`;
        throw new OperatorError(`${full}: revoke one that is not needed any more.`);
      });
    return { ...created, tenant: input.tenant, user: user.email, name, scopes };
  },
});

const tokenList = defineCommand({
  name: 'token list',
  usage: '--tenant S',
  summary: "list a restaurant's tokens, the revoked ones last; their values are not kept",
  entries: { tenant: slug },
  run: async ({ tenant }, { database }) => {
    const tenantId = await requireTenant(database, tenant);
    return listTokens(database, tenantId, Number.MAX_SAFE_INTEGER);
  },
});

const tokenRevoke = defineCommand({
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

export const tokenCommands = [tokenCreate, tokenList, tokenRevoke];
