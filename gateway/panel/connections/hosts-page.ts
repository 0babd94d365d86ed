import { addHost, proveHost, showHost } from '../../../db/actions/hosts.ts';
import { hostOf } from '../../../db/runtime/restaurant-origin.ts';
import type { ShownHost } from '../../../db/schema/host.ts';
import { parseRecordId } from '../../../db/schema/values/record-id.ts';
import { deleteHost, type Host, listHosts } from '../../../db/sql/hosts.ts';
import type { Answer } from '../../http/answer.ts';
import { type Html, html } from '../../http/html.ts';
import { type Desk, homeOrigin } from '../desk.ts';
import type { Form } from '../form.ts';
import { type ActionForm, actionFormOf, answerForm, type FormState } from '../forms/action-form.ts';
import type { RecordPage } from '../forms/record-page.ts';
import { actionForm } from '../pages/fields.ts';
import { createCard, listPage, listSection } from '../pages/list-page.ts';
import { redirectAnswer } from '../pages/page.ts';
import { notFoundPage } from '../records/show-record.ts';

export const HOSTS_PATH = '/admin/hosts';

function recordRows({ request, domain, say }: Desk, host: Host): Html {
  const { record } = showHost(host);
  const row = (name: string, type: string, value: string) =>
    html`<tr><td><code>${type}</code></td><td><code>${name}</code></td><td><code>${value}</code></td></tr>`;
  const target = hostOf({ slug: request.context.restaurant.tenant.slug, host: null }, domain);
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${say('hosts.records')}: ${host.name}"><table>
<thead><tr><th scope="col">${say('hosts.recordType')}</th><th scope="col">${say('hosts.recordName')}</th><th scope="col">${say('hosts.recordValue')}</th></tr></thead>
<tbody translate="no">${record && row(record.name, record.type, record.value)}${row(host.name, 'CNAME', target)}</tbody></table></div>`;
}

function hostItem(desk: Desk, host: Host): Html {
  const { request, say } = desk;
  const isVerified = host.verified_at !== null;
  const state = isVerified ? say('hosts.stateVerified') : say('hosts.statePending');
  const id = html`<input type="hidden" name="host" value="${host.id}">`;
  const check = html`${id}<button class="main" aria-label="${say('hosts.check')}: ${host.name}">${say('hosts.check')}</button>`;
  const remove = html`${id}<button class="bad" aria-label="${say('hosts.remove')}: ${host.name}">${say('hosts.remove')}</button>`;
  return html`<li class="token ${isVerified ? 'active' : 'due'}">
  <div class="token-head"><h3 class="address" translate="no">${host.name}</h3><span class="state ${isVerified ? 'active' : 'due'}">${state}</span></div>
  ${host.is_main && html`<p class="hint">${say('hosts.main')}</p>`}
  ${!isVerified && html`<p>${say('hosts.recordsHow')}</p>${recordRows(desk, host)}${actionForm(request, HOSTS_PATH, 'verify', check)}`}
  ${actionForm(request, HOSTS_PATH, 'remove', remove)}
</li>`;
}

async function page(desk: Desk, hosts: readonly Host[], state: FormState): Promise<Answer> {
  const { request, say } = desk;
  const address = homeOrigin(desk);
  return listPage(desk, state, {
    title: say('hosts.title'),
    opening: html`<p>${say('hosts.now')} <a href="${address}" translate="no">${address.replace(/^https?:\/\//, '')}</a></p>`,
    // The notice alone tells of a refusal that is of another form.
    create: createCard(
      say('hosts.new'),
      actionFormOf(request, hostForm, state.values ? state : {}),
    ),
    list: listSection(
      say('hosts.list'),
      hosts.map((host) => hostItem(desk, host)),
      say('hosts.empty'),
    ),
    place: 'hosts',
  });
}

const hostForm: ActionForm<typeof addHost.input, ShownHost> = {
  action: addHost,
  path: HOSTS_PATH,
  fields: [{ kind: 'text', name: 'name', label: 'hosts.name', hint: 'hosts.nameHint' }],
  submit: 'hosts.submit',
  page: async (desk, state) => page(desk, await listHosts(desk.db, desk.tenantId), state),
  done: ({ request }) => redirectAnswer(request, `${HOSTS_PATH}?done=asked`),
};

const hostIn = (form: Form) => parseRecordId(form.text('host')) ?? 0;

/** `/admin/hosts`: asks for a host, looks for its record, or gives it up. */
export const hostsPage: RecordPage<readonly Host[]> = {
  find: ({ db, tenantId }) => listHosts(db, tenantId),
  gone: notFoundPage,
  page,
  done: { asked: 'hosts.asked', verified: 'hosts.verified', removed: 'hosts.removed' },
  create: (desk, form) => answerForm(desk, hostForm, form),
  acts: {
    verify: async ({ db, readTexts, tenantId }, _, form) =>
      (await proveHost(db, readTexts, tenantId, hostIn(form))) ? 'verified' : '',
    remove: async ({ db, tenantId }, _, form) =>
      (await deleteHost(db, tenantId, hostIn(form))) ? 'removed' : '',
  },
};
