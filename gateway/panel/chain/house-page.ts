import { setHousePrices } from '../../../db/actions/chain-rules.ts';
import { linkAddress } from '../../../db/actions/users.ts';
import { openHouse, type VisitLink } from '../../../db/actions/visits.ts';
import { ROUNDINGS } from '../../../db/schema/chain-policy.ts';
import { type ChainBranch, listBranches, listPriceLists } from '../../../db/sql/chains.ts';
import type { Answer } from '../../http/answer.ts';
import { html } from '../../http/html.ts';
import type { Desk } from '../desk.ts';
import { type ActionForm, actionFormOf, answerForm, type FormState } from '../forms/action-form.ts';
import { pricingOf, writeDecimal, writePrice } from '../forms/draft.ts';
import { notice, refuseTooMany } from '../pages/fields.ts';
import { nameHeading, redirectAnswer, titledPage } from '../pages/page.ts';
import { notFoundPage } from '../records/show-record.ts';
import { CHAIN_PATH, DEVIATIONS_PATH, HOUSES_PATH, wayToChain } from './chain.ts';

async function findHouse({ db, request, tenantId }: Desk): Promise<ChainBranch | undefined> {
  const branches = await listBranches(db, tenantId);
  return branches.find(({ slug }) => slug === request.context.param);
}

/** `GET /admin/chain/houses/{slug}`: a house of a master. @param isOpen whether the notice has the link */
export async function housePage(desk: Desk, state: FormState = {}, isOpen = false) {
  const house = await findHouse(desk);
  if (!house) return notFoundPage(desk);
  const { db, request, say, tenantId } = desk;
  const { slug, name, behind, deviations } = house;
  const lists = await listPriceLists(db, tenantId);
  const own = lists.find(({ branch }) => branch === slug);
  const values = {
    percent: own ? writeDecimal(own.percent, request) : '',
    rounding: own?.rounding ?? 'none',
  };
  const form = actionFormOf(request, pricesForm(desk), { values, ...state });
  const mayVisit = desk.session.role === 'owner' && !isOpen;
  const intro = html`${say('chain.behind', { n: behind })} · <a href="${DEVIATIONS_PATH}?branch=${slug}">${say('chain.deviations', { n: deviations })}</a>`;
  const content = html`${mayVisit && html`<section class="card part"><h2>${say('chain.openTitle')}</h2><p class="hint">${say('chain.openHint')}</p>${actionFormOf(request, openForm(desk), {})}</section>`}
<section class="card part"><h2>${say('chain.prices')}</h2><p class="hint">${say('chain.pricesHint')}</p>${form}</section>`;
  const head = { state, title: name, heading: nameHeading(name), way: wayToChain(say), intro };
  return titledPage(desk, { ...head, content, place: 'chain' });
}

/** A link to the panel of a house, for its owner at the chain. */
function openForm(desk: Desk): ActionForm<typeof openHouse.input, VisitLink> {
  const { request, originOf, say } = desk;
  const { param: slug, host } = request.context;
  return {
    action: openHouse,
    path: `${HOUSES_PATH}/${slug}/open`,
    fields: [],
    submit: 'chain.open',
    texts: { 'house.unique': 'chain.visitTaken', house: 'failures.nothing' },
    more: () => ({ house: slug }),
    page: housePage,
    done: async (at, { result }) => {
      const house = await findHouse(at);
      const door = { host, secure: request.secure };
      // A house's own host may be in other hands by now; the one below the domain is ours.
      const home = originOf({ slug, host: null }, door);
      const address = linkAddress(home, result.secret);
      const name = house?.name ?? slug;
      const link = html`<p><a class="button" href="${address}" rel="noopener">${say('chain.openNow', { name })}</a></p>`;
      const message = notice('good', say('chain.openHint'), link);
      return housePage(at, { status: '201 Created', notice: message }, true);
    },
  };
}

/** `POST /admin/chain/houses/{slug}/open` */
export async function openHouseByForm(desk: Desk): Promise<Answer> {
  const { request, bound, tenantId } = desk;
  if (!(await findHouse(desk))) return notFoundPage(desk);
  const wait = bound.take(tenantId);
  if (wait > 0) return housePage(desk, refuseTooMany(request, wait));
  return answerForm(desk, openForm(desk));
}

function pricesForm(desk: Desk): ActionForm<typeof setHousePrices.input, null> {
  const { request } = desk;
  const slug = request.context.param;
  return {
    action: setHousePrices,
    path: `${HOUSES_PATH}/${slug}`,
    fields: [
      { kind: 'text', name: 'percent', label: 'chain.percent', hint: 'chain.percentHint' },
      {
        ...{ kind: 'one', name: 'rounding', label: 'chain.rounding', item: 'rounding' },
        options: ROUNDINGS,
        describe: (say, value) => {
          if (value === 'none') return { label: say('chain.noRounding'), hint: null };
          const price = writePrice(value, pricingOf(request));
          const isEnd = value === '.90';
          const label = isEnd ? 'chain.endsIn' : 'chain.stepsOf';
          return { label: say(label, { price: isEnd ? price.slice(1) : price }), hint: null };
        },
      },
    ],
    submit: 'editor.save',
    more: () => ({ branch: slug }),
    page: housePage,
    done: () => redirectAnswer(request, `${CHAIN_PATH}?done=prices`),
  };
}

/** `POST /admin/chain/houses/{slug}`: its prices. */
export async function changeHouse(desk: Desk): Promise<Answer> {
  return (await findHouse(desk)) ? answerForm(desk, pricesForm(desk)) : notFoundPage(desk);
}
