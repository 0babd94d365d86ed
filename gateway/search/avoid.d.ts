import type { Facts } from '../../db/snapshot/facts.ts';

/** See `avoid.js`. */
export function verdict(
  facts: Facts,
  avoided: ReadonlySet<string | number>,
): 'contains' | 'undeclared' | 'extra' | 'fine';
export function readFacts(written: readonly unknown[]): Facts;
