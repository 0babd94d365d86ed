import { addScreen } from '../../../db/actions/screens.ts';
import { listScreens, type Screen } from '../../../db/sql/screens.ts';
import { findTenantVersion } from '../../../db/sql/tenants.ts';
import type { Answer } from '../../http/answer.ts';
import { type Html, html } from '../../http/html.ts';
import { type Desk, homeOrigin } from '../desk.ts';
import { type ActionForm, actionFormOf, type FormState } from '../forms/action-form.ts';
import { notice } from '../pages/fields.ts';
import { createCard, listPage, listSection } from '../pages/list-page.ts';
import { redirectAnswer } from '../pages/page.ts';
import { readSections, sectionName } from '../writes/move.ts';
import { screenFacts, screenState } from './screen-form.ts';

export const SCREENS_PATH = '/admin/screens';

/** An address as a link that people can also copy. */
function addressLink(address: string): Html {
  const shown = address.replace(/^https?:\/\//, '');
  return html`<a href="${address}" target="_blank" rel="noopener" translate="no">${shown}</a>`;
}

function newForm(desk: Desk, state: FormState): Html {
  const { request, say } = desk;
  const content = html`<p>${say('screens.addHow')}</p>
<p>${addressLink(`${homeOrigin(desk)}/screen`)}</p>
${actionFormOf(request, screenForm, state)}`;
  return createCard(say('screens.add'), content);
}

/** `POST /admin/screens`: gives the screen with these letters its place. */
export const screenForm: ActionForm<typeof addScreen.input, Screen> = {
  action: addScreen,
  path: SCREENS_PATH,
  fields: [
    { kind: 'text', name: 'code', label: 'screens.code' },
    { kind: 'text', name: 'name', label: 'screens.name', hint: 'screens.nameHint' },
  ],
  submit: 'screens.submit',
  page: screensPage,
  done: ({ request }, { result }) =>
    redirectAnswer(request, `${SCREENS_PATH}?added=${encodeURIComponent(result.name)}`),
};

function screenItem(desk: Desk, screen: Screen, latest: number): Html {
  const { say } = desk;
  const label = say('screens.settings');
  return html`<li class="token ${screen.state === 'here' ? 'active' : 'revoked'}">
  <div class="token-head"><h3 dir="auto">${screen.name}</h3>${screenState(desk, screen)}</div>
  ${screenFacts(desk, screen, latest)}
  <a class="button" href="${SCREENS_PATH}/${screen.id}" aria-label="${label}: ${screen.name}">${label}</a>
</li>`;
}

const PARAMETERS = [
  ['sections=3,4', 'screens.paramSections'],
  ['languages=it,en', 'screens.paramLanguages'],
  ['lang=it', 'screens.paramLang'],
  ['seconds=12', 'screens.paramSeconds'],
  ['columns=1', 'screens.paramColumns'],
  ['orientation=portrait', 'screens.paramOrientation'],
  ['text=large', 'screens.paramText'],
  ['hide_sold_out=1', 'screens.paramSoldOut'],
  ['part=1/2', 'screens.paramPart'],
] as const;

/** Addresses for players that cannot be connected: ready ones, and what else may stand in one. */
async function addressCard(desk: Desk): Promise<Html> {
  const { say } = desk;
  const whole = `${homeOrigin(desk)}/?screen=1`;
  // A section comes with all that is in it.
  const top = (await readSections(desk)).filter(
    ({ depth, section }) => depth === 0 && section.is_active,
  );
  const rows = top.map((placed) => {
    const address = `${whole}&sections=${placed.section.id}`;
    return html`<div><dt dir="auto">${sectionName(desk, placed)}</dt><dd>${addressLink(address)}</dd></div>`;
  });
  const parameters = PARAMETERS.map(
    ([example, text]) =>
      html`<div><dt><code>&amp;${example}</code></dt><dd>${say(text)}</dd></div>`,
  );
  return html`<section class="card part" aria-labelledby="addresses-title">
<h2 id="addresses-title">${say('screens.parameters')}</h2>
<p>${say('screens.parametersHow')}</p>
<dl class="facts addresses"><div><dt>${say('qr.wholeMenu')}</dt><dd>${addressLink(whole)}</dd></div>${rows}</dl>
<details><summary>${say('screens.moreParameters')}</summary><dl class="facts">${parameters}</dl></details>
</section>`;
}

async function screensPage(desk: Desk, state: FormState): Promise<Answer> {
  const { db, say, tenantId } = desk;
  const screens = await listScreens(db, tenantId);
  const latest = await findTenantVersion(db, tenantId);
  const items = screens.map((screen) => screenItem(desk, screen, latest));
  return listPage(desk, state, {
    title: say('screens.title'),
    create: newForm(desk, state),
    list: listSection(say('screens.list'), items, say('screens.empty')),
    after: await addressCard(desk),
    place: 'screens',
  });
}

/** `GET /admin/screens`, with word of what has just been done; a screen's QR code fills in the letters. */
export function showScreens(desk: Desk): Promise<Answer> {
  const { say, context } = desk.request;
  const query = new URLSearchParams(context.query);
  const [added, code] = [query.get('added'), query.get('code') ?? ''];
  const message = added ? say('screens.added', { name: added }) : null;
  const removed = query.has('removed') ? say('screens.removed') : null;
  const text = message ?? removed;
  const values = { code: code.slice(0, 20) };
  return screensPage(desk, { values, notice: text && notice('good', text) });
}
