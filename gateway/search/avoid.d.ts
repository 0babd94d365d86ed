import type { Facts } from '../../db/snapshot/facts.ts';

/** See `avoid.js`. */
export function verdict(
  facts: Facts,
  avoided: ReadonlySet<string | number>,
): 'contains' | 'undeclared' | 'extra' | 'fine';
/** See `avoid.js`. */
export function withKinds(
  facts: Facts,
  kinds: readonly (readonly [allergen: string | number, kinds: readonly (string | number)[]])[],
): Facts;
export function readFacts(written: readonly unknown[]): Facts;
