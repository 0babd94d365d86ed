import { type Deviation, listDeviations } from '../../../db/chain/deviations.ts';
import { type ChainBranch, listBranches } from '../../../db/sql/chains.ts';
import { type Answer, createAnswer } from '../../http/answer.ts';
import { type Content, html } from '../../http/html.ts';
import { parseQuery } from '../../http/query.ts';
import { DEVIATIONS_CSV, deviationsCsv } from '../../routes/chain/deviations.ts';
import type { Desk } from '../desk.ts';
import { readForm } from '../form.ts';
import {
  actionForm,
  notice,
  onceField,
  refusal,
  refuseTooMany,
  staleForm,
} from '../pages/fields.ts';
import { type PageState, titledPage } from '../pages/page.ts';
import { isOwnForm } from '../panel-request.ts';
import { DEVIATIONS_PATH, ofMaster, wayToChain } from './chain.ts';
import { deviationList } from './deviation-list.ts';
import {
  type GivenBack,
  giveBackIn,
  lateReturn,
  MAX_RECORDS,
  readReturned,
  returnedOf,
} from './give-back.ts';

interface State extends PageState {
  /** Whether the notice asks whether all are to go back. */
  isAsking?: true;
}

/** How many fields can be given back. */
const countFields = (deviations: readonly Deviation[]) =>
  returnedOf(deviations).reduce((sum, { fields }) => sum + fields.length, 0);

/** The houses that the page's address asks for. */
function asked({ request }: Desk, branches: readonly ChainBranch[]) {
  const slug = parseQuery(request.context.query).get('branch') ?? '';
  const one = branches.find((branch) => branch.slug === slug);
  return { one, houses: one ? [one] : branches, query: one ? `?branch=${one.slug}` : '' };
}
type Asked = ReturnType<typeof asked>;

async function page(desk: Desk, branches: readonly ChainBranch[], state: State): Promise<Answer> {
  const { request, say, tenantId } = desk;
  const { one, houses, query } = asked(desk, branches);
  const deviations = await listDeviations(desk.reportDb, tenantId, houses);
  const names = new Map(branches.map(({ slug, name }) => [slug, name]));
  const button = html`<button class="button danger">${say('chain.giveAll')}</button>`;
  const giveAll =
    !state.isAsking &&
    countFields(deviations) > 0 &&
    actionForm(request, DEVIATIONS_PATH + query, 'ask-all', button);
  const ways = one
    ? html`<a class="button" href="${DEVIATIONS_PATH}">${say('chain.allHouses')}</a> `
    : branches.map(
        ({ slug, name, deviations: n }) =>
          n > 0 &&
          html`<a class="button" href="${DEVIATIONS_PATH}?branch=${slug}" dir="auto">${name}</a> `,
      );
  const list = {
    title: one?.name ?? say('chain.houses'),
    path: DEVIATIONS_PATH + query,
    deviations,
    all: html`<a href="${DEVIATIONS_PATH}.csv${query}" download>${say('chain.allAsCsv')}</a>`,
    ...(giveAll ? { beside: giveAll } : {}),
    ...(one ? {} : { houses: names }),
  };
  return titledPage(desk, {
    ...{ state, title: say('chain.deviationsTitle'), intro: say('chain.deviationsIntro') },
    ...{ way: wayToChain(say), place: 'chain', content: deviationList(desk, list) },
    opening: html`<p class="row">${ways}<a class="button" href="${DEVIATIONS_PATH}.csv${query}" download>CSV</a></p>`,
  });
}

/** `GET /admin/chain/deviations`: what differs where, who made it so, and since when. */
export const showDeviations = ofMaster((desk, branches) => page(desk, branches, {}));

/** `GET /admin/chain/deviations.csv`: the same as a table. */
export const sendDeviations = ofMaster(async (desk, branches) => {
  const { houses } = asked(desk, branches);
  const found = await listDeviations(desk.reportDb, desk.tenantId, houses);
  return createAnswer('200 OK', 'no-store', DEVIATIONS_CSV, deviationsCsv(found));
});

/** The question before all fields of the houses of a page are given back. */
function question(desk: Desk, { one, houses, query }: Asked, all: readonly Deviation[]): Content {
  const { request, say } = desk;
  const n = countFields(all);
  const slugs = new Set(returnedOf(all).map(({ branch }) => branch));
  const [first = one] = houses.filter(({ slug }) => slugs.has(slug));
  const text = say('chain.giveAllAsk', { n, houses: slugs.size, name: first?.name ?? '' });
  const inner = html`${onceField()}<input type="hidden" name="fields" value="${n}"><button class="button danger">${say('chain.giveAll')}</button> <a class="button" href="${DEVIATIONS_PATH}${query}">${say('chain.giveAllKeep')}</a>`;
  return notice('bad', text, actionForm(request, DEVIATIONS_PATH + query, 'give-all', inner));
}

/** `POST /admin/chain/deviations`: houses follow the master again, in one field or in all. */
export const changeDeviations = ofMaster(async (desk, branches) => {
  const { db, request, bound, say, tenantId } = desk;
  const form = await readForm(request.context);
  if (!isOwnForm(request, form.text('form_token'))) return page(desk, branches, staleForm(request));
  const action = form.text('do');
  const one = action === 'give-back' ? readReturned(form) : null;
  const isKnown = one
    ? branches.some(({ slug }) => slug === one.branch)
    : action === 'ask-all' || action === 'give-all';
  if (!isKnown) return page(desk, branches, refusal(say('failures.nothing')));
  const wait = bound.take(tenantId);
  if (wait > 0) return page(desk, branches, refuseTooMany(request, wait));
  const place = asked(desk, branches);
  const found = one ? [] : await listDeviations(desk.reportDb, tenantId, place.houses);
  const n = countFields(found);
  // Somebody may have changed further values since the question.
  const isAsked = action === 'give-all' && n <= Number(form.text('fields'));
  if (n > 0 && !isAsked)
    return page(desk, branches, { notice: question(desk, place, found), isAsking: true });
  const all = one ? [one] : returnedOf(found);
  const given = await giveBackIn(desk, branches, all.slice(0, MAX_RECORDS), form);
  if (given.late > 0) return lateReturn(desk, DEVIATIONS_PATH + place.query);
  const now = await listBranches(db, tenantId);
  return page(desk, now, { notice: message(desk, given, all.length - MAX_RECORDS) });
});

/** @param left the records that one form is too small for */
function message({ request: { say } }: Desk, { done, failed }: GivenBack, left: number): Content {
  if (failed > 0) return notice('bad', say('chain.someNotGiven', { done, failed }));
  return notice('good', left > 0 ? say('chain.someLeft', { done, left }) : say('chain.isGiven'));
}
