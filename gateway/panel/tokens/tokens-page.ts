import { listTokens } from '../../../db/sql/tokens.ts';
import type { Answer } from '../../http/answer.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import type { Desk } from '../desk.ts';
import { deskPage } from '../pages/page.ts';
import { secretBanner } from '../pages/secret-banner.ts';
import type { PanelRequest } from '../panel-request.ts';
import { type NewTokenForm, newTokenForm } from './new-token-form.ts';
import { tokenList } from './token-list.ts';

/** How the page of the tokens differs from an untouched one. */
export interface TokensState {
  status?: string;
  notice?: Content;
  form?: NewTokenForm;
}

/** The page of the tokens: the form for a new one, and the list. */
export async function tokensPage(desk: Desk, state: TokensState): Promise<Answer> {
  const { db, request } = desk;
  const { say } = request;
  const tokens = await listTokens(db, request.tenantId);
  const content = html`<div class="opening">
<h1>${say('tokens.title')}</h1>
<p class="intro">${say('tokens.intro')}</p>
</div>
${state.notice ?? null}
<div class="columns">
${newTokenForm(request, state.form)}
${tokenList(desk, tokens)}
</div>`;
  return deskPage(desk, {
    status: state.status,
    title: say('tokens.title'),
    content,
    place: 'tokens',
  });
}

/** The banner with a new token's value, which is on this page and on no other. */
export function revealBanner(request: PanelRequest, name: string, value: string): Html {
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
