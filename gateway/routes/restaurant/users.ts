import * as v from 'valibot';
import { changeUser, invite, linkAddress, removeUser } from '../../../db/actions/users.ts';
import { constants } from '../../../db/runtime/constants.ts';
import { invitationFields, roleSchema } from '../../../db/schema/user.ts';
import { described } from '../../../db/schema/validation/described-as.ts';
import { findTenantName } from '../../../db/sql/tenants.ts';
import { type ListedUser, listUsers } from '../../../db/sql/users.ts';
import { isTls } from '../../http/request-origin.ts';
import type { GuardedContext } from '../../pipeline/route.ts';
import { createEndpoints, describeAnswers, tokenContext } from '../frame/endpoints.ts';
import type { ApiRoute, Services } from '../frame/services.ts';

// The people of a restaurant's panel. A token needs `users:write`, which only owners' tokens can have.

const { name, role } = invitationFields;
const changeSchema = v.object({ name: v.optional(name), role: v.optional(role) });
const userEntries = {
  id: v.pipe(v.number(), v.integer(), v.description('Names the user.')),
  name: described(v.string(), 'The name of the person; empty when none was given.'),
  email: described(v.string(), 'The address with which the person signs in.'),
  role: described(roleSchema, 'What the person may do.'),
  state: described(
    v.picklist(['invited', 'active']),
    'invited: the person has not used the link yet.',
  ),
};
const userSchema = v.object(userEntries);
const invitedSchema = v.object({
  ...userEntries,
  invitation_url: described(
    v.string(),
    'The link by which the person joins, valid once and for seven days. It is shown once.',
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

const changedAnswer = describeAnswers('UserAnswer', userSchema, { ...example, role: 'service' });
const invitedAnswer = describeAnswers('InvitedUserAnswer', invitedSchema, invitedExample);

function linkOf(secret: string, context: GuardedContext, { originOf }: Services): string {
  const { tenant, host } = context;
  return linkAddress(originOf(tenant, { host, secure: isTls(context) }), secret);
}

async function findShown(id: number, { tenant }: GuardedContext, { db }: Services) {
  const user = (await listUsers(db, tenant.id)).find((one) => one.id === id);
  return user ? shown(user) : null;
}

const { oneRoute, listRoute, createRoute } = createEndpoints({
  path: '/admin/users',
  tag: 'People',
  part: 'people',
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
  createRoute(
    {
      id: 'inviteUser',
      summary: 'Invite somebody to the panel',
      details:
        'The answer has the link, once; where mail is set up, it is mailed, too. The person chooses a ' +
        'password there.',
      refusals: [413, 415, 422],
    },
    {
      action: invite,
      body: { name: 'UserInput', example: body },
      answer: invitedAnswer('The person is invited.'),
      show: ({ secret, ...user }, context, services) => {
        return { ...user, invitation_url: linkOf(secret, context, services) };
      },
      after: async ({ secret, ...to }, context, services) => {
        const { id, slug, defaultLocale } = context.tenant;
        const restaurant = (await findTenantName(services.db, id)) ?? slug;
        const link = linkOf(secret, context, services);
        services.mail?.send('invite', { restaurant, defaultLocale, to, link });
      },
    },
  ),
  oneRoute(
    'PATCH',
    '',
    {
      ...{ id: 'changeUser', summary: "Change somebody's name or role" },
      details:
        "Another role ends the person's sessions, and holds for the person's tokens at once. The last " +
        'owner stays one.',
      body: { name: 'UserChange', schema: changeSchema, example: { role: 'service' } },
      answers: { 200: changedAnswer('The person as it is now.') },
      refusals: [413, 415, 422],
    },
    async (id, context, services, input) => {
      const changed = await changeUser(await tokenContext(context, services), id, input);
      return changed && findShown(id, context, services);
    },
  ),
  oneRoute(
    'DELETE',
    '',
    {
      id: 'removeUser',
      summary: 'Remove somebody from the panel, or withdraw an invitation',
      details: "The person's sessions and tokens end at once. The last owner stays.",
      answers: { 204: { description: 'The person is gone.' } },
      refusals: [422],
    },
    async (id, context, services) =>
      (await removeUser(await tokenContext(context, services), id)) && true,
  ),
];
