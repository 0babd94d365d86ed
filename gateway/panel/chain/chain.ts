import { type ChainBranch, findMaster, listBranches } from '../../../db/sql/chains.ts';
import type { Say } from '../../../db/texts/say.ts';
import type { Answer } from '../../http/answer.ts';
import type { Desk } from '../desk.ts';
import { notFoundPage } from '../records/show-record.ts';

export const CHAIN_PATH = '/admin/chain';
export const HOUSES_PATH = `${CHAIN_PATH}/houses`;
export const POLICY_PATH = `${CHAIN_PATH}/policy`;
export const DEVIATIONS_PATH = `${CHAIN_PATH}/deviations`;
export const CHAIN_STATISTICS_PATH = `${CHAIN_PATH}/statistics`;

/** The way from one of its pages back to the chain. */
export const wayToChain = (say: Say) => [CHAIN_PATH, say('places.chain')] as const;

/** A page of a restaurant's place in its chain: of a master with branches, or of a branch. */
export type PlaceInChain =
  | { role: 'master'; branches: readonly ChainBranch[] }
  | { role: 'branch'; master: NonNullable<Awaited<ReturnType<typeof findMaster>>> };

/** The place of a restaurant in its chain; null for one without a chain. */
export async function placeInChain({ db, tenantId }: Desk): Promise<PlaceInChain | null> {
  const branches = await listBranches(db, tenantId);
  if (branches.length > 0) return { role: 'master', branches };
  const master = await findMaster(db, tenantId);
  return master && { role: 'branch', master };
}

/** A page of masters alone: others get the page for what is not there. */
export function ofMaster(page: (desk: Desk, branches: readonly ChainBranch[]) => Promise<Answer>) {
  return async (desk: Desk): Promise<Answer> => {
    const place = await placeInChain(desk);
    return place?.role === 'master' ? page(desk, place.branches) : notFoundPage(desk);
  };
}
