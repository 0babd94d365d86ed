import * as v from 'valibot';
import {
  changePerson,
  EmailTakenError,
  invite,
  LastOwnerError,
  linkAddress,
  type PeopleContext,
  removePerson,
  TooManyPeopleError,
} from '../../../db/people/people.ts';
import { constants } from '../../../db/runtime/constants.ts';
import { emailAddress, personName, roleSchema, roles } from '../../../db/schema/person.ts';
import { broken, oneOfRule } from '../../../db/schema/validation/rule.ts';
import { findTenantName } from '../../../db/sql/tenants.ts';
import { type ListedUser, listUsers } from '../../../db/sql/users.ts';
import { createAnswer, jsonAnswer } from '../../http/answer.ts';
import { ignoringMeta, successBody } from '../../http/envelope.ts';
import { InvalidError, NotFoundError } from '../../http/errors.ts';
import { pathId } from '../../http/path.ts';
import { isForwardedTls } from '../../http/request-origin.ts';
import type { GuardedContext } from '../../pipeline/route.ts';
import { createEndpoints, describeAnswers, readBody } from '../endpoints.ts';
import type { ApiRoute, Services } from '../services.ts';

// The people of a restaurant's panel. A token needs `users:write`, which only owners' tokens can have.

const name = v.pipe(personName, v.description('The name of the person.'));
const email = v.pipe(emailAddress, v.description('The address with which the person signs in.'));
const role = v.pipe(
  v.picklist(roles, oneOfRule(roles)),
  v.description(
    'owner: everything. editor: what `menu:write` and `analytics:read` allow. service: what is sold out.',
  ),
);

const newUserSchema = v.object({ name, email, role });
const changeSchema = v.object({ name: v.optional(name), role: v.optional(role) });
const userEntries = {
  id: v.pipe(v.number(), v.integer(), v.description('Names the user.')),
  name: v.pipe(v.string(), v.description('The name of the person; empty when none was given.')),
  email: v.pipe(v.string(), v.description('The address with which the person signs in.')),
  role: v.pipe(roleSchema, v.description('What the person may do.')),
  state: v.pipe(
    v.picklist(['invited', 'active']),
    v.description('invited: the person has not used the link yet.'),
  ),
};
const userSchema = v.object(userEntries);
const invitedSchema = v.object({
  ...userEntries,
  invitation_url: v.pipe(
    v.string(),
    v.description(
      'The link by which the person joins, valid once and for seven days. It is shown once.',
    ),
  ),
});

const example = { id: 3, name: 'Ada', email: 'ada@example.com', role: 'editor', state: 'active' };
const secret = 'J2h0c8m5Qw1rT9yU3iO7pA4sD6fG8hK0lZ2xC4vB6nM';
const invitedExample = {
  ...{ ...example, state: 'invited' },
  invitation_url: linkAddress('https://osteria.example.com', secret),
};
const body = { name: 'Ada', email: 'ada@example.com', role: 'editor' };

function shown({ id, name, email, role, state }: ListedUser) {
  return { id, name, email, role, state };
}

function placeOf({ tenant, token }: GuardedContext, { db }: Services): PeopleContext {
  return { database: db, tenantId: tenant.id, actor: { kind: 'token', name: token.name } };
}

/** Makes of what keeps an action from being done the answer that says so. */
function explain(error: unknown): never {
  if (error instanceof LastOwnerError) {
    throw new InvalidError({ role: [broken('lastOwner')] });
  }
  if (error instanceof EmailTakenError) throw new InvalidError({ email: [broken('unique')] });
  if (error instanceof TooManyPeopleError) {
    throw new InvalidError({ email: [broken('maxItems', { max: constants.maxUsers })] });
  }
  throw error;
}

async function requireShown(id: number, { tenant }: GuardedContext, { db }: Services) {
  const user = (await listUsers(db, tenant.id)).find((one) => one.id === id);
  if (!user) throw new NotFoundError();
  return shown(user);
}

const { route, listRoute } = createEndpoints({
  path: '/admin/users',
  tag: 'People',
  read: 'users:write',
  write: 'users:write',
  isOfMenu: false,
  failure: 'could not read or change the people',
});

export const userRoutes: readonly ApiRoute[] = [
  listRoute(
    {
      id: 'listUsers',
      summary: 'List the people of the panel',
      details: `All of them, at most ${constants.maxUsers}, in the order of their addresses.`,
    },
    describeAnswers('UserList', v.array(userSchema), [example])('The people.'),
    listUsers,
    shown,
  ),
  route(
    'POST',
    '',
    {
      id: 'inviteUser',
      summary: 'Invite somebody to the panel',
      details:
        'The answer has the link, once; where mail is set up, it is mailed, too. The person chooses a ' +
        'password there.',
      body: { name: 'UserInput', schema: newUserSchema, example: body },
      answers: {
        201: describeAnswers(
          'InvitedUserAnswer',
          invitedSchema,
          invitedExample,
        )('The person is invited.'),
      },
      refusals: [413, 415, 422],
    },
    async (context, services) => {
      const { input, ignored } = await readBody(newUserSchema, context);
      const { id, secret } = await invite(placeOf(context, services), input).catch(explain);
      const { tenant, host, headers } = context;
      const secure = context.secure || isForwardedTls(headers);
      const url = linkAddress(services.originOf(tenant, { host, secure }), secret);
      const user = await requireShown(id, context, services);
      const restaurant = (await findTenantName(services.db, tenant.id)) ?? tenant.slug;
      const { defaultLocale } = tenant;
      services.mail?.send('invite', { restaurant, defaultLocale, to: user, link: url });
      const data = { ...user, invitation_url: url };
      return jsonAnswer('201 Created', successBody(data, ignoringMeta(ignored)));
    },
  ),
  route(
    'PATCH',
    '/:id',
    {
      id: 'changeUser',
      summary: "Change somebody's name or role",
      details:
        "Another role ends the person's sessions, and holds for the person's tokens at once. The last " +
        'owner stays one.',
      parameters: ['Id'],
      body: { name: 'UserChange', schema: changeSchema, example: { role: 'service' } },
      answers: {
        200: describeAnswers('UserAnswer', userSchema, { ...example, role: 'service' })(
          'The person as it is now.',
        ),
      },
      refusals: [413, 415, 422],
    },
    async (context, services) => {
      const id = pathId(context.param);
      const { input, ignored } = await readBody(changeSchema, context);
      const changed = await changePerson(placeOf(context, services), id, input).catch(explain);
      if (!changed) throw new NotFoundError();
      const user = await requireShown(id, context, services);
      return jsonAnswer('200 OK', successBody(user, ignoringMeta(ignored)));
    },
  ),
  route(
    'DELETE',
    '/:id',
    {
      id: 'removeUser',
      summary: 'Remove somebody from the panel, or withdraw an invitation',
      details: "The person's sessions and tokens end at once. The last owner stays.",
      parameters: ['Id'],
      answers: { 204: { description: 'The person is gone.' } },
      refusals: [422],
    },
    async (context, services) => {
      const id = pathId(context.param);
      const removed = await removePerson(placeOf(context, services), id).catch(explain);
      if (!removed) throw new NotFoundError();
      return createAnswer('204 No Content', 'no-store', {}, null);
    },
  ),
];
