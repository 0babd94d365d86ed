import type { Compared } from '../../../../db/queries/analytics/compare-counts.ts';
import type { DailyTotal } from '../../../../db/queries/analytics/find-daily-totals.ts';
import type { Summed } from '../../../../db/queries/analytics/sum-counts.ts';
import type { AllergenKey } from '../../../../db/records/allergen.ts';
import type { Locale } from '../../../../db/records/locale.ts';
import type { MenuFacts } from '../menu-facts.ts';

interface Trend {
  item_id: number;
  name: string;
  views: number;
  previous_views: number;
  change: number | null;
}

/** What is behind a finding; a text is made of these and nothing else. */
export type Figures =
  | { kind: 'visitors'; visitors: number; previous_visitors: number; change: number }
  | ({ kind: 'rising_item' } & Trend)
  | ({ kind: 'falling_item' } & Trend)
  | {
      kind: 'never_viewed';
      count: number;
      visible: number;
      examples: { id: number; name: string }[];
    }
  | { kind: 'busiest_hour'; hour: number; visitors: number; share: number }
  | { kind: 'busiest_weekday'; weekday: number; average: number; overall_average: number }
  | {
      kind: 'missing_translations';
      locale: Locale;
      items: number;
      views: number;
      examples: { id: number; name: string; views: number }[];
    }
  | {
      kind: 'narrow_allergen';
      allergen: AllergenKey;
      name: string;
      uses: number;
      remaining_dishes: number;
      visible_dishes: number;
    };

/** What findings are looked for in. */
export interface Evidence {
  menu: MenuFacts;
  /** First day of the period: earlier ones belong to the one before. */
  from: string;
  days: readonly DailyTotal[];
  hours: readonly Summed[];
  items: readonly Compared[];
  /** Views of dishes by the readers of a language; the key is `<dish>/<locale>`. */
  itemLocales: readonly Summed[];
  allergens: readonly Summed[];
}
