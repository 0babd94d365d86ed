import type { Scenario } from './scenario.ts';
import { addresses } from './scenarios/addresses.ts';
import { busy } from './scenarios/busy.ts';
import { cold } from './scenarios/cold.ts';
import { displays } from './scenarios/displays.ts';
import { gateways } from './scenarios/gateways.ts';
import { hotMenu } from './scenarios/hot-menu.ts';
import { items } from './scenarios/items.ts';
import { manyTenants } from './scenarios/many-tenants.ts';
import { memory } from './scenarios/memory.ts';
import { start } from './scenarios/start.ts';

/** Everything that is measured, in the order of the report. */
export const scenarios: readonly Scenario[] = [
  hotMenu,
  manyTenants,
  gateways,
  addresses,
  items,
  cold,
  busy,
  displays,
  memory,
  start,
];
