import { listDeviations } from '../../../db/chain/deviations.ts';
import { sayBroken } from '../../../db/schema/error-sentences.ts';
import type { ChainBranch } from '../../../db/sql/chains.ts';
import type { Answer } from '../../http/answer.ts';
import { InvalidError } from '../../http/errors.ts';
import { type Html, html } from '../../http/html.ts';
import type { Desk } from '../desk.ts';
import { type Form, readForm } from '../form.ts';
import type { FormState } from '../forms/action-form.ts';
import { doneNotice, refusal, refuseTooMany, staleForm } from '../pages/fields.ts';
import { listPage, listSection } from '../pages/list-page.ts';
import { deskPage, redirectAnswer } from '../pages/page.ts';
import { isOwnForm } from '../panel-request.ts';
import { notFoundPage } from '../records/show-record.ts';
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

const DONE = {
  scheduled: 'chain.isScheduled',
  rules: 'chain.rulesSaved',
  prices: 'chain.pricesSaved',
  given: 'chain.isGiven',
  kept: 'chain.notGiven',
} as const;

function houseItem({ say }: Desk, { slug, name, behind, deviations }: ChainBranch): Html {
  const mark = behind > 0 ? 'due' : 'active';
  const own = html`<a href="${DEVIATIONS_PATH}?branch=${slug}">${say('chain.deviations', { n: deviations })}</a>`;
  return html`<li class="token ${mark}"><div class="token-head"><h3><a href="${HOUSES_PATH}/${slug}" dir="auto">${name}</a></h3><span class="state ${mark}">${say('chain.behind', { n: behind })}</span></div>
<p class="hint">${deviations > 0 ? own : say('chain.noDeviations')}</p></li>`;
}

function masterPage(desk: Desk, branches: readonly ChainBranch[], state: FormState): Answer {
  const { request, say } = desk;
  const ways = html`<p class="row"><a class="button" href="${DEVIATIONS_PATH}">${say('chain.deviationsTitle')}</a>
<a class="button" href="${POLICY_PATH}">${say('chain.rules')}</a>
<a class="button" href="${CHAIN_STATISTICS_PATH}">${say('places.statistics')}</a>
<a class="button" href="${CHAIN_PATH}/published">${say('chain.published')}</a></p>`;
  return listPage(
    desk,
    { ...state, notice: state.notice ?? doneNotice(request, DONE) },
    {
      title: say('places.chain'),
      opening: ways,
      create: publishCard(desk, branches),
      list: listSection(
        say('chain.houses'),
        branches.map((one) => houseItem(desk, one)),
        '',
      ),
      place: 'chain',
    },
  );
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
  const { request, say } = desk;
  const deviations = await listDeviations(desk.reportDb, master.id, [here(desk)]);
  const content = html`<div class="opening"><h1>${say('places.chain')}</h1>
<p class="intro">${say('chain.branchIntro', { name: master.name })} ${say('chain.mayEnter')}</p></div>
${state.notice ?? doneNotice(request, DONE)}
${deviationList(desk, { title: say('chain.deviationsTitle'), path: CHAIN_PATH, deviations })}`;
  return deskPage(desk, {
    status: state.status,
    title: say('places.chain'),
    content,
    place: 'chain',
  });
}

/** The page of a restaurant that is in no chain. */
function alonePage(desk: Desk): Answer {
  const { say } = desk;
  const content = html`<div class="opening"><h1>${say('places.chain')}</h1>
<p class="intro">${say('chain.alone')}</p></div>`;
  return deskPage(desk, { title: say('places.chain'), content, place: 'chain' });
}

/** `GET /admin/chain`: the houses of a master, or what a branch has of its own. */
export async function chainPage(desk: Desk, state: FormState = {}): Promise<Answer> {
  const place = await placeInChain(desk);
  if (!place) return alonePage(desk);
  return place.role === 'master'
    ? masterPage(desk, place.branches, state)
    : branchPage(desk, place, state);
}

async function giveBackHere(desk: Desk, form: Form): Promise<Answer> {
  const returned = readReturned(form);
  const house = here(desk);
  const record = returned && { ...returned, branch: house.slug };
  const given = record && (await giveBackIn(desk, [house], [record], form));
  if (given && given.late > 0) return lateReturn(desk, CHAIN_PATH);
  return redirectAnswer(desk.request, `${CHAIN_PATH}?done=${given?.done ? 'given' : 'kept'}`);
}

/** `POST /admin/chain`: a publication of a master, or a field that a branch gives back. */
export async function changeChain(desk: Desk): Promise<Answer> {
  const { request, bound, say, tenantId } = desk;
  const form = await readForm(request.context);
  if (!isOwnForm(request, form.text('form_token'))) return chainPage(desk, staleForm(request));
  const place = await placeInChain(desk);
  if (!place) return notFoundPage(desk);
  const wait = bound.take(tenantId);
  if (wait > 0) return chainPage(desk, refuseTooMany(request, wait));
  try {
    return place.role === 'master'
      ? await publishByForm(desk, form, place.branches)
      : await giveBackHere(desk, form);
  } catch (error) {
    if (!(error instanceof InvalidError)) throw error;
    const [first] = Object.values(error.errors).flat();
    const isNone = Object.keys(error.errors).some((key) => key.startsWith('branches'));
    const text = isNone || !first ? say('chain.noHouse') : sayBroken(say, first);
    return chainPage(desk, refusal(text));
  }
}
