import { constants } from '../../../db/runtime/constants.ts';
import type { ChainBranch } from '../../../db/sql/chains.ts';
import type { Answer } from '../../http/answer.ts';
import { createAnswer } from '../../http/answer.ts';
import { type Content, html } from '../../http/html.ts';
import { parseQuery } from '../../http/query.ts';
import { DEVIATIONS_CSV, deviationsCsv } from '../../routes/chain/deviations.ts';
import type { Desk } from '../desk.ts';
import { readForm } from '../form.ts';
import { actionForm, notice, refusal, staleForm } from '../pages/fields.ts';
import { deskPage } from '../pages/page.ts';
import { isOwnForm } from '../panel-request.ts';
import { CHAIN_PATH, DEVIATIONS_PATH, ofMaster, readDeviations } from './chain.ts';
import { deviationList } from './deviation-list.ts';
import { type GivenBack, giveBackIn, readReturned, returnedOf } from './give-back.ts';

interface State {
  status?: string;
  notice?: Content;
}

/** The houses that the page's address asks for. */
function asked({ request }: Desk, branches: readonly ChainBranch[]) {
  const slug = parseQuery(request.context.query).get('branch') ?? '';
  const one = branches.find((branch) => branch.slug === slug);
  return { one, houses: one ? [one] : branches };
}

async function page(desk: Desk, branches: readonly ChainBranch[], state: State): Promise<Answer> {
  const { request } = desk;
  const { say } = request;
  const { one, houses } = asked(desk, branches);
  const query = one ? `?branch=${one.slug}` : '';
  const deviations = await readDeviations(desk, request.tenantId, houses);
  const names = new Map(branches.map(({ slug, name }) => [slug, name]));
  const all =
    one &&
    deviations.length > 0 &&
    actionForm(
      request,
      DEVIATIONS_PATH + query,
      'give-all',
      html`<input type="hidden" name="branch" value="${one.slug}"><button class="bad">${say('chain.giveAll')}</button>`,
    );
  const ways = branches.map(({ slug, name, deviations: n }) => {
    const current = slug === one?.slug && html` aria-current="true"`;
    return (
      n > 0 &&
      html`<a class="button" href="${DEVIATIONS_PATH}?branch=${slug}" dir="auto"${current}>${name}</a> `
    );
  });
  const content = html`<div class="opening"><p class="way"><a href="${CHAIN_PATH}">‹ ${say('places.chain')}</a></p>
<h1>${say('chain.deviationsTitle')}</h1>
<p class="intro">${say('chain.deviationsIntro')}</p>
<p class="row">${ways}<a class="button" href="${DEVIATIONS_PATH}.csv${query}" download>CSV</a></p></div>
${state.notice ?? null}
${all ?? null}
${deviationList(desk, DEVIATIONS_PATH + query, deviations, names)}`;
  const title = say('chain.deviationsTitle');
  return deskPage(desk, { status: state.status, title, content, place: 'chain' });
}

/** `GET /admin/chain/deviations`: what differs where, who made it so, and since when. */
export const showDeviations = ofMaster((desk, branches) => page(desk, branches, {}));

/** `GET /admin/chain/deviations.csv`: the same as a table. */
export const sendDeviations = ofMaster(async (desk, branches) => {
  const { houses } = asked(desk, branches);
  const found = await readDeviations(desk, desk.request.tenantId, houses);
  return createAnswer('200 OK', 'no-store', DEVIATIONS_CSV, deviationsCsv(found));
});

/** `POST /admin/chain/deviations`: a house follows the master again, in one field or in all. */
export const changeDeviations = ofMaster(async (desk, branches) => {
  const { request, bound } = desk;
  const { say, tenantId } = request;
  const form = await readForm(request.context);
  if (!isOwnForm(request, form.text('form_token'))) return page(desk, branches, staleForm(request));
  const house = branches.find(({ slug }) => slug === form.text('branch'));
  const one = readReturned(form);
  if (!house || (form.text('do') !== 'give-all' && !one)) {
    return page(desk, branches, refusal(say('failures.nothing')));
  }
  if (bound.take(tenantId) > 0) {
    const seconds = Math.ceil(constants.busyRetryAfter / 1_000);
    const refused = refusal(say('failures.tooManyPages', { seconds }), '429 Too Many Requests');
    return page(desk, branches, refused);
  }
  const all = one ? [one] : returnedOf(await readDeviations(desk, tenantId, [house]));
  const given = await giveBackIn(desk, house, all);
  return page(desk, branches, { notice: told(desk, given) });
});

function told({ request: { say } }: Desk, { done, failed }: GivenBack): Content {
  return failed > 0
    ? notice('bad', say('chain.someNotGiven', { done, failed }))
    : notice('good', say('chain.isGiven'));
}
