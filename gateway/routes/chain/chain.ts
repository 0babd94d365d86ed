import * as v from 'valibot';
import { perform } from '../../../db/actions/action.ts';
import { policyOf, schedulePublication, setPolicy } from '../../../db/actions/chains.ts';
import {
  publicationCountsSchema,
  publishInput,
  refusedSchema,
  shadowedSchema,
} from '../../../db/schema/chain.ts';
import { type Policy, policyInput, policySchema } from '../../../db/schema/chain-policy.ts';
import { tellErrors } from '../../../db/schema/error-sentences.ts';
import { described } from '../../../db/schema/validation/described-as.ts';
import { codesSchema } from '../../../db/schema/validation/messages.ts';
import { findMaster, listBranches } from '../../../db/sql/chains.ts';
import { type PanelLanguage, panelLanguage } from '../../../db/texts/catalogues.ts';
import { sayIn } from '../../../db/texts/say.ts';
import { invalidSchema } from '../../http/envelope.ts';
import { ForbiddenError, NotFoundError } from '../../http/errors.ts';
import { readIdempotencyKey } from '../../http/idempotency-key.ts';
import { ignoredQuery } from '../../http/query.ts';
import type { GuardedContext } from '../../pipeline/route.ts';
import {
  type BranchResult,
  chosenBranches,
  lastPublication,
  publishChain,
} from '../../writes/publish-chain.ts';
import {
  createEndpoints,
  dataAnswer,
  describeAnswers,
  readBody,
  tokenContext,
} from '../frame/endpoints.ts';
import type { ApiRoute, Services } from '../frame/services.ts';
import { isAsync, readerOf } from '../records/read-write.ts';

const houseEntries = {
  slug: described(v.string(), 'The slug of the restaurant.'),
  name: described(v.string(), 'Its name.'),
};
const count = (description: string) => described(v.number(), description);

const chainSchema = v.object({
  role: described(
    v.nullable(v.picklist(['master', 'branch'])),
    'What this restaurant is in its chain; null without one.',
  ),
  master: described(v.nullable(v.object(houseEntries)), 'The master of a branch; null for others.'),
  policy: described(policySchema, 'What branches may change, and their prices.'),
  branches: described(
    v.array(
      v.object({
        ...houseEntries,
        behind: count('How many versions of the master’s menu it has not taken.'),
        deviations: count('How many of its fields are its own.'),
      }),
    ),
    'The branches of a master.',
  ),
});

const resultSchema = v.object({
  ...houseEntries,
  state: described(
    v.picklist(['done', 'waiting', 'failed', 'scheduled']),
    '`failed`: nothing was changed there, and it can be asked for again.',
  ),
  dry_run: described(v.nullable(v.boolean()), 'Whether it was only tried.'),
  version: described(v.nullable(v.number()), 'The branch’s menu that shows it.'),
  counts: described(
    v.nullable(publicationCountsSchema),
    'How many records came to what; null while there is no result.',
  ),
  shadowed: described(
    v.array(shadowedSchema),
    'Own values of the branch that stay, and hide others of the master.',
  ),
  refused: described(
    v.array(
      v.object({
        ...refusedSchema.entries,
        errors: invalidSchema.entries.errors,
        codes: codesSchema,
      }),
    ),
    'Records of the master that the branch cannot take. Its own stay as they are.',
  ),
  left_out: count('How many shadowed fields and refused records are not listed.'),
});

const shown = {
  ...{ slug: 'roma', name: 'Trattoria da Ada, Roma', state: 'done', dry_run: false, version: 31 },
  counts: { created: 0, updated: 1, unchanged: 84, deleted: 0, failed: 0 },
  shadowed: [{ resource: 'items', id: 7, name: 'Gricia', field: 'price', own: 12.5, master: 12 }],
  ...{ refused: [], left_out: 0 },
};

/** A result, or a publication that a release will bring. */
type Shown = Omit<BranchResult, 'state'> & { state: BranchResult['state'] | 'scheduled' };

function showResult(one: Shown, language: PanelLanguage) {
  const { slug, name, state, version, outcome } = one;
  return {
    ...{ slug, name, state, dry_run: outcome?.dry_run ?? null, version },
    ...{ counts: outcome?.counts ?? null, shadowed: outcome?.shadowed ?? [] },
    refused: (outcome?.refused ?? []).map(({ errors: codes, ...record }) => ({
      ...{ ...record, errors: tellErrors(language, codes, record), codes },
    })),
    left_out: outcome?.left_out ?? 0,
  };
}

const { route } = createEndpoints({
  path: '/admin/chain',
  tag: 'Chain',
  part: 'menu',
  isOfMenu: true,
  failure: 'could not reach the chain',
});

const describe = describeAnswers('PublicationAnswer', v.array(resultSchema), [shown]);
const policy = {
  fields: { items: { allergens: 'locked', price: { bounded: 10 } } },
  price_lists: [{ branch: 'roma', percent: 5, rounding: '0.10' }],
} satisfies Policy;
const describePolicy = describeAnswers('PolicyAnswer', policySchema, policy);
const describeChain = describeAnswers('ChainAnswer', chainSchema, {
  ...{ role: 'master', master: null, policy },
  branches: [{ slug: 'roma', name: 'Trattoria da Ada, Roma', behind: 2, deviations: 5 }],
});

/**
 * The branches of a master.
 *
 * @throws ForbiddenError of a branch, and NotFoundError of a restaurant without a chain
 */
export async function branchesOf({ tenant }: GuardedContext, { db }: Services) {
  const branches = await listBranches(db, tenant.id);
  if (branches.length > 0) return branches;
  if (await findMaster(db, tenant.id)) throw new ForbiddenError();
  throw new NotFoundError();
}

function answerResults(
  results: readonly BranchResult[],
  context: GuardedContext,
  ignored: readonly string[],
) {
  const { language } = readerOf(context);
  const shown = results.map((one) => showResult(one, language));
  if (!results.some(({ state }) => state === 'waiting')) return dataAnswer(shown, ignored);
  return dataAnswer(shown, ignored, { status: '202 Accepted', headers: { 'Retry-After': '1' } });
}

const publicationAnswers = {
  200: describe('What it came to in each branch.'),
  202: { ...describe('Some branches are yet to take it.'), headers: ['Retry-After'] as const },
};

export const chainRoutes: readonly ApiRoute[] = [
  route(
    'GET',
    '',
    {
      ...{ id: 'showChain', summary: 'Show the chain of a restaurant' },
      answers: { 200: describeChain('Its place in a chain, and the branches of a master.') },
      refusals: [414],
    },
    async ({ tenant, query }, { db }) => {
      const master = await findMaster(db, tenant.id);
      const branches = await listBranches(db, tenant.id);
      const role = master ? 'branch' : branches.length > 0 ? 'master' : null;
      const data = {
        role,
        master: master && { slug: master.slug, name: master.name },
        policy: await policyOf(db, tenant.id),
        branches: branches.map(({ id: _id, ...branch }) => branch),
      };
      return dataAnswer(data, ignoredQuery(query));
    },
  ),
  route(
    'POST',
    '/publish',
    {
      ...{ id: 'publishChain', summary: 'Publish a master’s menu to its branches' },
      details:
        'Each branch takes new, changed, moved and deleted records in one version of its own. Its own ' +
        'fields stay, and its own records are not touched. With `starts_at` a release of the master ' +
        'does it then. 202: some branches have no result yet; `GET` of this path tells it.',
      parameters: ['IdempotencyKey', 'Prefer'],
      body: { name: 'PublishBody', schema: publishInput, example: { dry_run: true } },
      answers: publicationAnswers,
      refusals: [413, 415],
    },
    async (context, services) => {
      const { input, ignored } = await readBody(publishInput, context);
      const key = readIdempotencyKey(context.headers);
      const branches = chosenBranches(await branchesOf(context, services), input.branches);
      if (input.starts_at !== null && !input.dry_run) {
        const say = sayIn(panelLanguage(context.tenant.defaultLocale));
        const action = schedulePublication(say('chain.release'));
        await perform(action, await tokenContext(context, services), input);
        const { language } = readerOf(context);
        const shown = branches.map(({ slug, name }) =>
          showResult({ slug, name, state: 'scheduled', version: null, outcome: null }, language),
        );
        return dataAnswer(shown, ignored);
      }
      const publisher = { kind: 'token', name: context.token.name } as const;
      const asked = { isDryRun: input.dry_run, publisher, key, isAsync: isAsync(context) };
      const done = await publishChain(services.writes, context.tenant.id, branches, asked);
      return answerResults(done, context, ignored);
    },
  ),
  route(
    'GET',
    '/publish',
    {
      ...{ id: 'showPublication', summary: 'Show what the last publication came to' },
      details: 'The last one of each branch, a try among them, for as long as results are kept.',
      answers: publicationAnswers,
      refusals: [414],
    },
    async (context, services) => {
      const ignored = ignoredQuery(context.query);
      await branchesOf(context, services);
      const results = await lastPublication(services.db, context.tenant.id);
      return answerResults(results, context, ignored);
    },
  ),
  route(
    'GET',
    '/policy',
    {
      ...{ id: 'showPolicy', summary: 'Show what a chain lets its branches change' },
      details: 'A branch sees the rules of its master, and its own prices.',
      answers: { 200: describePolicy('The policy, with the rules that hold by default.') },
      refusals: [414],
    },
    async ({ tenant, query }, { db }) =>
      dataAnswer(await policyOf(db, tenant.id), ignoredQuery(query)),
  ),
  route(
    'PUT',
    '/policy',
    {
      ...{ id: 'setPolicy', summary: 'Set what a chain lets its branches change' },
      details:
        'A part that is not sent stays. A write of a branch outside of the policy is 422 with the rule ' +
        '`lockedByChain` or `boundedByChain`; what was its own before stays. Whether dishes are sold out, what ' +
        'guests see and the order are always free. Price lists hold from the next publication on.',
      body: { name: 'PolicyBody', schema: policyInput, example: policy },
      answers: { 200: describePolicy('The policy as it is now.') },
      refusals: [413, 415],
    },
    async (context, services) => {
      const { input, ignored } = await readBody(policyInput, context);
      if (await findMaster(services.db, context.tenant.id)) throw new ForbiddenError();
      const { result } = await perform(setPolicy, await tokenContext(context, services), input);
      return dataAnswer(result, ignored);
    },
  ),
];
