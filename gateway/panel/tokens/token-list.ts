import { constants } from '../../../db/runtime/constants.ts';
import type { ListedToken } from '../../../db/sql/tokens.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import type { Desk } from '../desk.ts';
import { listSection } from '../pages/list-page.ts';
import { momentElement } from '../pages/moment.ts';

/** `due`: it works, but is so old that it should be replaced (SPEC, "Authentication", 10). */
type TokenState = 'active' | 'due' | 'revoked';

export function tokenState(
  token: Pick<ListedToken, 'created_at' | 'revoked_at'>,
  now: Date,
): TokenState {
  if (token.revoked_at) return 'revoked';
  const age = now.getTime() - token.created_at.getTime();
  return age >= constants.tokenRotationAge ? 'due' : 'active';
}

/** The facts about a token beside its name. */
export function tokenFacts(desk: Desk, token: ListedToken): Html {
  const { say } = desk.request;
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
  const { say } = desk.request;
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
export function tokenList(desk: Desk, tokens: readonly ListedToken[]): Html {
  const { say } = desk.request;
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
