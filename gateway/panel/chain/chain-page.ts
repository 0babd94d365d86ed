import { listDeviations } from '../../../db/chain/deviations.ts';
import type { ChainBranch } from '../../../db/sql/chains.ts';
import type { Answer } from '../../http/answer.ts';
import { type Html, html } from '../../http/html.ts';
import type { Desk } from '../desk.ts';
import type { Form } from '../form.ts';
import type { FormState } from '../forms/action-form.ts';
import type { RecordPage } from '../forms/record-page.ts';
import { refuseTooMany } from '../pages/fields.ts';
import { listPage, listSection } from '../pages/list-page.ts';
import { titledPage } from '../pages/page.ts';
import {
  CHAIN_PATH,
  CHAIN_STATISTICS_PATH,
  DEVIATIONS_PATH,
  HOUSES_PATH,
  type PlaceInChain,
  POLICY_PATH,
  placeInChain,
} from './chain.ts';
import { deviationList } from './deviation-list.ts';
import { giveBackIn, lateReturn, readReturned } from './give-back.ts';
import { publishByForm, publishCard } from './publish.ts';

function houseItem({ say }: Desk, { slug, name, behind, deviations }: ChainBranch): Html {
  const mark = behind > 0 ? 'due' : 'active';
  const own = html`<a href="${DEVIATIONS_PATH}?branch=${slug}">${say('chain.deviations', { n: deviations })}</a>`;
  return html`<li class="token ${mark}"><div class="token-head"><h3><a href="${HOUSES_PATH}/${slug}" dir="auto">${name}</a></h3><span class="state ${mark}">${say('chain.behind', { n: behind })}</span></div>
<p class="hint">${deviations > 0 ? own : say('chain.noDeviations')}</p></li>`;
}

function masterPage(desk: Desk, branches: readonly ChainBranch[], state: FormState): Answer {
  const { say } = desk;
  const ways = html`<p class="row"><a class="button" href="${DEVIATIONS_PATH}">${say('chain.deviationsTitle')}</a>
<a class="button" href="${POLICY_PATH}">${say('chain.rules')}</a>
<a class="button" href="${CHAIN_STATISTICS_PATH}">${say('places.statistics')}</a>
<a class="button" href="${CHAIN_PATH}/published">${say('chain.published')}</a></p>`;
  return listPage(desk, state, {
    title: say('places.chain'),
    opening: ways,
    create: publishCard(desk, branches),
    list: listSection(
      say('chain.houses'),
      branches.map((one) => houseItem(desk, one)),
      '',
    ),
    place: 'chain',
  });
}

/** How a branch is named in its own list. */
const here = ({ request, tenantId }: Desk) => ({
  id: tenantId,
  slug: request.context.restaurant.tenant.slug,
  deviations: 1,
});

async function branchPage(
  desk: Desk,
  { master }: Extract<PlaceInChain, { role: 'branch' }>,
  state: FormState,
): Promise<Answer> {
  const { say } = desk;
  const deviations = await listDeviations(desk.reportDb, master.id, [here(desk)]);
  const list = { title: say('chain.deviationsTitle'), path: CHAIN_PATH, deviations };
  return titledPage(desk, {
    ...{ state, title: say('places.chain'), place: 'chain' },
    intro: `${say('chain.branchIntro', { name: master.name })} ${say('chain.mayEnter')}`,
    content: deviationList(desk, list),
  });
}

/** The page of a restaurant that is in no chain. */
function alonePage(desk: Desk): Answer {
  const { say } = desk;
  const title = say('places.chain');
  return titledPage(desk, { title, intro: say('chain.alone'), content: html``, place: 'chain' });
}

async function page(desk: Desk, place: PlaceInChain, state: FormState): Promise<Answer> {
  return place.role === 'master'
    ? masterPage(desk, place.branches, state)
    : branchPage(desk, place, state);
}

async function giveBackHere(desk: Desk, form: Form): Promise<Answer | string> {
  const returned = readReturned(form);
  const house = here(desk);
  const record = returned && { ...returned, branch: house.slug };
  const given = record && (await giveBackIn(desk, [house], [record], form));
  if (given && given.late > 0) return lateReturn(desk, CHAIN_PATH);
  return given?.done ? 'given' : 'kept';
}

/** Does a publication of a master, or gives a field of a branch back. */
async function change(desk: Desk, place: PlaceInChain, form: Form): Promise<Answer | string> {
  const wait = desk.bound.take(desk.tenantId);
  if (wait > 0) return page(desk, place, refuseTooMany(desk.request, wait));
  return place.role === 'master'
    ? publishByForm(desk, form, place.branches)
    : giveBackHere(desk, form);
}

/** `/admin/chain`: the houses of a master, or what a branch has of its own. */
export const chainPage: RecordPage<PlaceInChain> = {
  find: placeInChain,
  gone: alonePage,
  page,
  texts: { branches: 'chain.noHouse' },
  done: {
    ...{ scheduled: 'chain.isScheduled', rules: 'chain.rulesSaved', prices: 'chain.pricesSaved' },
    ...{ given: 'chain.isGiven', kept: 'chain.notGiven' },
  },
  acts: { try: change, publish: change, 'give-back': change },
};
