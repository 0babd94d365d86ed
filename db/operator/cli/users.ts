import * as v from 'valibot';
import { perform } from '../../actions/action.ts';
import { findOrigin } from '../../actions/hosts.ts';
import {
  COMMON_PASSWORDS,
  hashPassword,
  MAX_PASSWORD,
  MIN_PASSWORD,
  type PasswordTrouble,
  passwordTrouble,
} from '../../actions/password.ts';
import { operatorContext, requireTenant } from '../../actions/restaurants.ts';
import {
  changeUser,
  endAllSessions,
  invite,
  linkAddress,
  makeAccountLink,
  removeUser,
} from '../../actions/users.ts';
import { constants } from '../../runtime/constants.ts';
import { OperatorError } from '../../runtime/operator-error.ts';
import { endSession, listSessions } from '../../sql/sessions.ts';
import { createUser, findUser, listUsers, setPassword, type User } from '../../sql/users.ts';
import { email, label, role, slugArgument } from './arguments.ts';
import type { Ask } from './ask.ts';
import { type Context, defineCommand } from './command.ts';

const TROUBLES: Record<PasswordTrouble, string> = {
  short: `The password must have at least ${MIN_PASSWORD} characters.`,
  long: `The password must have at most ${MAX_PASSWORD} characters.`,
  unreadable: 'The password must be UTF-8.',
  common: `The password is one of the ${COMMON_PASSWORDS} commonest; choose another one.`,
};

/** Says in the help of a command how it reads a password. */
const passwordHelp =
  'The password is asked for, or is the first line of standard input: ' +
  `at least ${MIN_PASSWORD} characters, and not one of the ${COMMON_PASSWORDS} commonest.`;

/**
 * Reads a new password: a person types it twice and does not see it, a program writes it on the first
 * line of standard input.
 *
 * @throws {OperatorError} when there is none or it is not allowed
 */
function readPassword(ask: Ask): Promise<string> {
  return ask.forSecrets(async (next) => {
    const password = await next('Password: ');
    if (password === null) {
      throw new OperatorError(
        'There is no password: write it on the first line of standard input.',
      );
    }
    const trouble = await passwordTrouble(password);
    if (trouble !== undefined) throw new OperatorError(TROUBLES[trouble]);
    if (ask.isPerson && (await next('The same again: ')) !== password) {
      throw new OperatorError('The two passwords differ; nothing was changed.');
    }
    return password;
  });
}

function noUser(tenant: string, email: string): OperatorError {
  return new OperatorError(`The tenant ${tenant} has no user ${email}.`);
}

/** A user of a restaurant, and the place of an action on it. @throws MissingError, OperatorError */
async function requireUser(context: Context, { tenant, email }: { tenant: string; email: string }) {
  const place = await operatorContext(context, tenant);
  const user: User | null = await findUser(place.database, place.tenantId, email);
  if (!user) throw noUser(tenant, email);
  return { place, user };
}

const name = v.optional(label(constants.maxPersonNameLength));

const userCreate = defineCommand({
  name: 'user create',
  usage: '--tenant S --email E [--role owner] [--name N]',
  summary: "create a user of a restaurant's panel, by default an owner",
  help: passwordHelp,
  entries: { tenant: slugArgument, email, role: v.optional(role, 'owner'), name },
  run: async (input, { database, ask }) => {
    const tenantId = await requireTenant(database, input.tenant);
    const passwordHash = await hashPassword(await readPassword(ask));
    const { email, role, name = '' } = input;
    const id = await createUser(database, { tenantId, email, passwordHash, role, name });
    if (id === null) {
      throw new OperatorError(`The tenant ${input.tenant} has a user ${input.email} already.`);
    }
    return { id, tenant: input.tenant, email, role };
  },
});

const userList = defineCommand({
  name: 'user list',
  usage: '--tenant S',
  summary: "list the users of a restaurant's panel",
  entries: { tenant: slugArgument },
  run: async ({ tenant }, { database }) =>
    listUsers(database, await requireTenant(database, tenant)),
});

const userRole = defineCommand({
  name: 'user role',
  usage: '--tenant S --email E --role R',
  summary: "give a user of a restaurant's panel another role, which ends the user's sessions",
  help: 'A token never may do more than its user.',
  entries: { tenant: slugArgument, email, role },
  run: async (input, context) => {
    const { place, user } = await requireUser(context, input);
    const { role } = input;
    await changeUser(place, user.id, { role });
    return { tenant: input.tenant, email: input.email, role };
  },
});

const userInvite = defineCommand({
  name: 'user invite',
  usage: '--tenant S --email E [--role editor] [--name N]',
  summary: 'make a link, valid once and for seven days, by which somebody joins the panel',
  help:
    'For somebody who is invited already the former link is valid no more; for a user it is a link ' +
    'to choose another password, valid for an hour.',
  entries: { tenant: slugArgument, email, role: v.optional(role, 'editor'), name },
  run: async (input, context) => {
    const { database, originOf } = context;
    const place = await operatorContext(context, input.tenant);
    const { tenantId } = place;
    const { email, role, name = '' } = input;
    const known = await findUser(database, tenantId, email);
    const made = known
      ? await makeAccountLink(place, known.id)
      : (await perform(invite, place, { email, role, name })).result;
    if (!made) throw noUser(input.tenant, email);
    const origin = await findOrigin(database, originOf, { id: tenantId, slug: input.tenant });
    const link = linkAddress(origin, made.secret);
    return { tenant: input.tenant, email, role: known?.role ?? role, link };
  },
});

const userPassword = defineCommand({
  name: 'user password',
  usage: '--tenant S --email E',
  summary: "give a user of a restaurant's panel another password; the user's tokens stay",
  help: passwordHelp,
  entries: { tenant: slugArgument, email },
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
  summary: "delete a user of a restaurant's panel, and the user's sessions and tokens",
  entries: { tenant: slugArgument, email },
  run: async (input, context) => {
    const { place, user } = await requireUser(context, input);
    await removeUser(place, user.id);
    return { tenant: input.tenant, email: input.email, deleted: true };
  },
});

const sessionList = defineCommand({
  name: 'session list',
  usage: '--tenant S --email E',
  summary: "list the sessions of a user of a restaurant's panel, with device and time",
  entries: { tenant: slugArgument, email },
  run: async (input, context) => {
    const { place, user } = await requireUser(context, input);
    const sessions = await listSessions(place.database, place.tenantId, user.id, null);
    return sessions.map(({ is_current: _none, ...session }) => session);
  },
});

const sessionId = v.pipe(
  v.string(),
  v.regex(/^([0-9a-f]{16}|all)$/, 'must be the id of a session, or all'),
  v.description('the id of a session, as session list prints it, or all'),
);

const sessionEnd = defineCommand({
  name: 'session end',
  usage: '--tenant S --email E --id I',
  summary: "end a session of a user of a restaurant's panel, or all of them",
  entries: { tenant: slugArgument, email, id: sessionId },
  run: async (input, context) => {
    const { tenant, email, id } = input;
    const { place, user } = await requireUser(context, input);
    if (id === 'all') return { tenant, email, ended: (await endAllSessions(place, user.id)) ?? 0 };
    const isEnded = await endSession(place.database, place.tenantId, user.id, id);
    if (!isEnded) throw new OperatorError(`The user ${email} has no session ${id}.`);
    return { tenant, email, ended: 1 };
  },
});

export const userCommands = [
  userCreate,
  userList,
  userRole,
  userInvite,
  userPassword,
  userDelete,
  sessionList,
  sessionEnd,
];
