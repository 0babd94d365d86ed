import { createToken, type NewToken } from '../../../db/actions/tokens.ts';
import { constants } from '../../../db/runtime/constants.ts';
import { DAY } from '../../../db/runtime/day.ts';
import { type Scope, scopes } from '../../../db/schema/token.ts';
import { parseRecordId } from '../../../db/schema/values/record-id.ts';
import {
  findListedToken,
  type ListedToken,
  listTokens,
  revokeToken,
} from '../../../db/sql/tokens.ts';
import type { Answer } from '../../http/answer.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import { byPath, type Desk } from '../desk.ts';
import { type ActionForm, actionFormOf, type FormState } from '../forms/action-form.ts';
import type { RecordPage } from '../forms/record-page.ts';
import { hiddenFields, notice } from '../pages/fields.ts';
import { createCard, listPage, listSection } from '../pages/list-page.ts';
import { messagePage, secretBanner } from '../pages/message-page.ts';
import { momentElement } from '../pages/moment.ts';
import { deskPage, redirectAnswer } from '../pages/page.ts';
import type { PanelRequest } from '../panel-request.ts';

/** Age after which a token should be replaced by a new one, in ms. */
const TOKEN_ROTATION_AGE = 90 * DAY;

/**
 * Spaces, and what would be invisible in a name or change the order of what follows; but for what joins
 * letters and emoji.
 */
const INVISIBLE = /(?:(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Z}])+/gu;

/** `due`: it works, but is so old that it should be replaced (SPEC, "Authentication", 10). */
type TokenState = 'active' | 'due' | 'revoked';

export function tokenState(
  token: Pick<ListedToken, 'created_at' | 'revoked_at'>,
  now: Date,
): TokenState {
  if (token.revoked_at) return 'revoked';
  const age = now.getTime() - token.created_at.getTime();
  return age >= TOKEN_ROTATION_AGE ? 'due' : 'active';
}

/** The facts about a token beside its name. */
function tokenFacts(desk: Desk, token: ListedToken): Html {
  const { say } = desk;
  const fact = (label: string, value: Content) =>
    html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
  const { last_used_at, revoked_at } = token;
  const lastUsed = last_used_at ? momentElement(desk, last_used_at) : say('tokens.neverUsed');
  return html`<ul class="scope-list" aria-label="${say('tokens.mayDo')}">
    ${token.scopes.map((scope) => html`<li title="${scope}">${say(`scopes.${scope}.title`)}</li>`)}
  </ul>
  <dl class="facts">
    ${fact(say('tokens.created'), momentElement(desk, token.created_at))}
    ${fact(say('tokens.lastUsed'), lastUsed)}
    ${revoked_at && fact(say('tokens.revoked'), momentElement(desk, revoked_at))}
    ${token.owner !== desk.session.email && fact(say('tokens.owner'), token.owner)}
  </dl>`;
}

function tokenItem(desk: Desk, token: ListedToken): Html {
  const { say } = desk;
  const state = tokenState(token, new Date());
  const revoke = html`<a class="button danger" href="/admin/api-tokens/${token.id}/revoke" aria-label="${say('revoke.actionOn', { name: token.name })}">${say('revoke.action')}</a>`;
  return html`<li class="token ${state}" id="token-${token.id}">
  <div class="token-head">
    <h3 dir="auto">${token.name}</h3>
    <span class="state ${state}">${say(`tokens.states.${state}`)}</span>
  </div>
  ${tokenFacts(desk, token)}
  ${state === 'due' && html`<p class="due">${say('tokens.due')}</p>`}
  ${state !== 'revoked' && revoke}
</li>`;
}

/** @param tokens those beyond `maxListedTokens` are not shown: that there are some is said */
function tokenList(desk: Desk, tokens: readonly ListedToken[]): Html {
  const { say } = desk;
  const listed = tokens.slice(0, constants.maxListedTokens);
  const active = listed.filter((token) => !token.revoked_at).length;
  if (tokens.length === 0) {
    return html`<section class="card list none" aria-labelledby="list-title">
<span class="key" aria-hidden="true"></span>
<h2 id="list-title">${say('tokens.empty')}</h2>
<p>${say('tokens.emptyHint')}</p>
</section>`;
  }
  return listSection(
    say('tokens.list'),
    listed.map((token) => tokenItem(desk, token)),
    say('tokens.empty'),
    {
      beside: html`<span class="count">${say('tokens.active', { count: active })}</span>`,
      after: tokens.length > listed.length && html`<p class="hint">${say('tokens.more')}</p>`,
    },
  );
}

/** `GET /admin/api-tokens`, with word of a token that has just been revoked: the address names it. */
export async function showTokens(desk: Desk): Promise<Answer> {
  const { db, request, say, tenantId } = desk;
  const query = new URLSearchParams(request.context.query);
  const revoked = parseRecordId(query.get('revoked') ?? '');
  const token = revoked === null ? null : await findListedToken(db, tenantId, revoked);
  const message = token?.revoked_at
    ? notice('good', say('revoke.done', { name: token.name }))
    : null;
  return tokensPage(desk, { notice: message });
}

/** Says that a form which was sent again has made its token before. */
async function answerRepeated(desk: Desk, id: number): Promise<Answer> {
  const { db, request, tenantId, say } = desk;
  const token = await findListedToken(db, tenantId, id);
  const said =
    token && notice('bad', say('reveal.gone', { name: token.name }), repeatedLink(request, token));
  return tokensPage(desk, { status: '409 Conflict', notice: said });
}

function repeatedLink({ say }: PanelRequest, { id, revoked_at }: ListedToken): Content {
  if (revoked_at) return null;
  return html`<a class="button" href="/admin/api-tokens/${id}/revoke">${say('revoke.action')}</a>`;
}

/**
 * `POST /admin/api-tokens`: makes a token, one a form however often the form is sent. The answer shows its
 * value, and no other one does.
 */
export const tokenForm: ActionForm<typeof createToken.input, NewToken> = {
  action: createToken,
  path: '/admin/api-tokens',
  fields: [
    { kind: 'text', name: 'name', label: 'tokenForm.name', hint: 'tokenForm.nameHint' },
    {
      ...{ kind: 'some', name: 'scopes', label: 'tokenForm.scopes', hint: 'tokenForm.scopesHint' },
      ...{ item: 'scope', options: scopes },
      describe: (say, value) => {
        const scope = value as Scope;
        const hint = html`${say(`scopes.${scope}.hint`)} <code>${scope}</code>`;
        return { label: say(`scopes.${scope}.title`), hint };
      },
    },
  ],
  submit: 'tokenForm.submit',
  texts: {
    name: 'tokenForm.nameMissing',
    'name.maxLength': 'tokenForm.nameTooLong',
    scopes: 'tokenForm.scopeMissing',
    tokens: 'tokenForm.full',
  },
  read: ({ name, ...values }) => ({ ...values, name: String(name).replace(INVISIBLE, ' ').trim() }),
  more: ({ session }) => ({ user: session.email }),
  page: tokensPage,
  done: (desk, { result, isRepeated }) => {
    if (isRepeated) return answerRepeated(desk, result.id);
    const banner = revealBanner(desk.request, result.name, result.token);
    return tokensPage(desk, { status: '201 Created', notice: banner }, result.token);
  },
};

const originOf = ({ secure, host }: PanelRequest['context']) =>
  `${secure ? 'https' : 'http'}://${host}`;

/** The command by which a till sends its prices to the restaurant. */
function tillCard({ say, context }: PanelRequest): Html {
  const path = '/api/v1/admin/import?fields=price,variants&skip_refused=1';
  const lines = [
    'curl -X PUT --data-binary @till.csv',
    "-H 'Authorization: Bearer CODE' -H 'Content-Type: text/csv'",
    `'${originOf(context)}${path}'`,
  ];
  return html`<section class="card" aria-labelledby="till-title">
<h2 id="till-title">${say('till.title')}</h2>
<p>${say('till.intro')}</p>
<pre tabindex="0" dir="ltr"><code>${lines.join(' \\\n  ')}</code></pre>
<p class="hint">${say('till.hint')}</p>
</section>`;
}

/** Lines to paste into clients of the Model Context Protocol, by the clients' names. */
function clientLines(slug: string, url: string, token: string): [client: string, lines: string][] {
  const headers = { Authorization: `Bearer ${token}` };
  const servers = { [slug]: { type: 'http', url, headers } };
  const pretty = (value: object) => JSON.stringify(value, null, 2);
  return [
    ['Claude, Cursor: .mcp.json, mcp.json', pretty({ mcpServers: servers })],
    ['VS Code: .vscode/mcp.json', pretty({ servers })],
    [
      'Claude Code',
      `claude mcp add --transport http ${slug} ${url} --header "Authorization: Bearer ${token}"`,
    ],
  ];
}

/** The lines by which clients find the restaurant; `token` stands in them where it can be shown. */
function assistantCard({ say, context }: PanelRequest, token: string): Html {
  const url = `${originOf(context)}/mcp`;
  const parts = clientLines(context.restaurant.tenant.slug, url, token).map(
    ([client, lines]) => html`<h3 translate="no">${client}</h3>
<pre tabindex="0" dir="ltr"><code>${lines}</code></pre>`,
  );
  return html`<section class="card" aria-labelledby="assistants-title">
<h2 id="assistants-title">${say('assistants.title')}</h2>
<p>${say('assistants.intro')}</p>
${parts}
</section>`;
}

/** The page of the tokens: the form for a new one, and the list. */
async function tokensPage(desk: Desk, state: FormState, token = 'CODE'): Promise<Answer> {
  const { db, request, say, tenantId } = desk;
  const tokens = await listTokens(db, tenantId);
  return listPage(desk, state, {
    title: say('tokens.title'),
    create: createCard(say('tokenForm.title'), actionFormOf(request, tokenForm, state)),
    list: tokenList(desk, tokens),
    after: html`${tillCard(request)}${assistantCard(request, token)}`,
    place: 'tokens',
  });
}

/** The banner with a new token's value, which is on this page and on no other. */
function revealBanner(request: PanelRequest, name: string, value: string): Html {
  const { say } = request;
  return secretBanner(request, {
    id: 'token-value',
    title: say('reveal.title', { name }),
    once: say('reveal.once'),
    label: say('reveal.value'),
    value,
    rows: 1,
    advice: say('reveal.advice'),
  });
}

function notFound({ request, session, say }: Desk): Answer {
  const title = say('failures.notFoundTitle');
  const text = say('failures.notFound');
  return messagePage(request, '404 Not Found', title, text, session);
}

function confirmPage(desk: Desk, token: ListedToken, state: FormState) {
  const { request, say } = desk;
  const title = say('revoke.title', { name: token.name });
  const content = html`${state.notice ?? null}
<section class="card question">
<h1>${title}</h1>
<p>${say('revoke.effect')}</p>
<div class="subject">${tokenFacts(desk, token)}</div>
<form method="post" action="/admin/api-tokens/${token.id}/revoke">
  ${hiddenFields(request)}
  <button class="main bad">${say('revoke.confirm')}</button>
  <a class="button" href="/admin/api-tokens">${say('revoke.cancel')}</a>
</form>
</section>`;
  return deskPage(desk, { status: state.status, title, content, place: 'tokens' });
}

const revoked = ({ request }: Desk, { id }: ListedToken) =>
  redirectAnswer(request, `/admin/api-tokens?revoked=${id}`);

/** `/admin/api-tokens/{id}/revoke`: asks once. From its commit on every gateway refuses the token. */
export const revokePage: RecordPage<ListedToken> = {
  find: byPath(findListedToken),
  gone: notFound,
  page: async (desk, token, state) =>
    token.revoked_at ? revoked(desk, token) : confirmPage(desk, token, state),
  acts: {
    // Somebody else may have revoked it just now; the result is the same.
    '': async (desk, token) => {
      await revokeToken(desk.db, desk.tenantId, token.id);
      return revoked(desk, token);
    },
  },
};
