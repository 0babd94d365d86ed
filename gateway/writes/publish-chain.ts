import * as v from 'valibot';
import { publicationWrite } from '../../db/chain/publication-writes.ts';
import type { Database } from '../../db/postgres/connection.ts';
import {
  type PublishedOutcome,
  type Publisher,
  type PublishInput,
  publishedOutcomeSchema,
} from '../../db/schema/chain.ts';
import { refuse } from '../../db/schema/validation/invalid-error.ts';
import { broken, type FieldErrors } from '../../db/schema/validation/rule.ts';
import type { WriteOutcome } from '../../db/schema/write.ts';
import { type ChainBranch, findLastPublications } from '../../db/sql/chains.ts';
import { InvalidError } from '../http/errors.ts';
import type { Writes } from './writes.ts';

export interface BranchResult {
  slug: string;
  name: string;
  /** `failed`: nothing was done, and it can be asked for again. */
  state: 'done' | 'waiting' | 'failed';
  /** The version of the branch's menu that shows it; null without a result. */
  version: number | null;
  /** Null without a result. */
  outcome: PublishedOutcome | null;
}

function resultOf(
  { slug, name }: Pick<ChainBranch, 'slug' | 'name'>,
  done: { version: number; outcome: WriteOutcome } | null,
): BranchResult {
  if (!done) return { slug, name, state: 'waiting', version: null, outcome: null };
  const { version, outcome } = done;
  if (outcome.kind !== 'published') {
    return { slug, name, state: 'failed', version: null, outcome: null };
  }
  const isDone = outcome.applied || outcome.dry_run;
  return { slug, name, state: isDone ? 'done' : 'failed', version, outcome };
}

/**
 * The branches that a request names; all without names.
 *
 * @throws InvalidError
 */
export function chosenBranches(
  all: readonly ChainBranch[],
  slugs: PublishInput['branches'],
): readonly ChainBranch[] {
  if (slugs === null) return all;
  const known = new Map(all.map((one) => [one.slug, one]));
  const errors: FieldErrors = {};
  slugs.forEach((slug, at) => {
    if (!known.has(slug)) errors[`branches.${at}`] = [broken('invalid')];
  });
  refuse(errors);
  const named = new Set(slugs);
  return all.filter(({ slug }) => named.has(slug));
}

interface AskedPublication {
  isDryRun: boolean;
  publisher: Publisher;
  /** The client's name for the request; null for none. */
  key: string | null;
  /** Whether the client does not wait for results. */
  isAsync?: boolean;
}

/**
 * Publishes a master's menu to branches, a write in each, and waits for their results as long as for
 * any write.
 */
export function publishChain(
  writes: Pick<Writes, 'settle' | 'keep'>,
  masterId: number,
  branches: readonly ChainBranch[],
  { isDryRun, publisher, key, isAsync = false }: AskedPublication,
): Promise<BranchResult[]> {
  const one = async (branch: ChainBranch): Promise<BranchResult> => {
    const write = publicationWrite(branch.id, { masterId, publisher, isDryRun, key });
    try {
      if (isAsync) await writes.keep(write);
      const done = isAsync ? null : (await writes.settle(write, branch.slug)).result;
      return resultOf(branch, done);
    } catch (error) {
      // The key was used for another request: that is the client's mistake.
      if (error instanceof InvalidError) throw error;
      const { slug, name } = branch;
      return { slug, name, state: 'failed', version: null, outcome: null };
    }
  };
  return Promise.all(branches.map(one));
}

export async function lastPublication(db: Database, masterId: number): Promise<BranchResult[]> {
  const found = await findLastPublications(db, masterId);
  return found
    .filter(({ id }) => id !== null)
    .map((one) => {
      if (!one.is_finished) return resultOf(one, null);
      const outcome = v.safeParse(publishedOutcomeSchema, one.outcome);
      const done = outcome.success ? outcome.output : ({ kind: 'failed' } as const);
      return resultOf(one, { version: one.version ?? 0, outcome: done });
    });
}
