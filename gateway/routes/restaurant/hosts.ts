import * as v from 'valibot';
import { addHost, proveHost, showHost } from '../../../db/actions/hosts.ts';
import { hostSchema } from '../../../db/schema/host.ts';
import { deleteHost, findHost, listHosts } from '../../../db/sql/hosts.ts';
import { createEndpoints, describeAnswers } from '../frame/endpoints.ts';
import type { ApiRoute } from '../frame/services.ts';

// The own host names of a restaurant. A token needs `users:write`, which only owners' tokens can have.

const example = {
  ...{ id: 4, name: 'menu.trattoria.example', state: 'pending', is_main: false },
  record: {
    ...{ name: '_lavagna.menu.trattoria.example', type: 'TXT' },
    value: 'lavagna=u3Jm0Xq9s2Lk7VtB1cRzW8aP',
  },
  ...{ verified_at: null, created_at: '2026-01-15T18:30:00.000Z' },
};
const hostAnswer = describeAnswers('HostAnswer', hostSchema, example);
const { oneRoute, listRoute, createRoute, showRoute, deleteRoute } = createEndpoints({
  path: '/admin/hosts',
  tag: 'Hosts',
  part: 'hosts',
  isOfMenu: false,
  failure: 'could not reach the hosts',
});

export const hostRoutes: readonly ApiRoute[] = [
  listRoute(
    {
      id: 'listHosts',
      summary: 'List the restaurant’s own host names',
      details: 'The restaurant is always served at its slug below the domain, too.',
    },
    describeAnswers('HostList', v.array(hostSchema), [example])('All of them.'),
    listHosts,
    showHost,
  ),
  createRoute(
    {
      id: 'createHost',
      summary: 'Ask for a host name',
      details:
        'It is served once its owner has put `record` into DNS and `POST /admin/hosts/{id}/verify` has ' +
        'seen it. A name that the restaurant has asked for already is that one. A name at which another ' +
        'restaurant is served is 422.',
    },
    {
      action: addHost,
      body: { name: 'HostInput', example: { name: example.name } },
      answer: { ...hostAnswer('The host, and its record.'), headers: ['Location'] },
    },
  ),
  showRoute(
    { id: 'showHost', summary: 'Show a host name' },
    hostAnswer('The host.'),
    findHost,
    showHost,
  ),
  oneRoute(
    'POST',
    '/verify',
    {
      id: 'verifyHost',
      summary: 'Look for the record of a host name, and serve it',
      details:
        'A record that is not there is 422 with the rule `hostRecord`; a name server may take hours to ' +
        'show it.',
      answers: { 200: hostAnswer('The host, which is served.') },
      refusals: [422],
    },
    (id, { tenant }, { db, readTexts }) => proveHost(db, readTexts, tenant.id, id),
    showHost,
  ),
  deleteRoute(
    { id: 'deleteHost', summary: 'Give up a host name' },
    'Nothing is served there any more.',
    deleteHost,
  ),
];
