import type { Scenario } from './scenario.ts';
import { hotMenu } from './scenarios/hot-menu.ts';

/** Everything that is measured, in the order of the report. */
export const scenarios: readonly Scenario[] = [hotMenu];
