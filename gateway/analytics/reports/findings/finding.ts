import type { Compared, DailyTotal, Readers, Summed } from '../../../../db/sql/counts.ts';
import type { MenuFacts } from '../menu-facts.ts';

/** The data in which findings are looked for. */
export interface Evidence {
  menu: MenuFacts;
  /** First day of the period: earlier ones belong to the one before. */
  from: string;
  /** Those on which there was anything to count, in their order. */
  days: readonly DailyTotal[];
  hours: readonly Summed[];
  items: readonly Compared[];
  readers: readonly Readers[];
  allergens: readonly Summed[];
}
