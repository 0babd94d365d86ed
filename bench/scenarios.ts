import type { Scenario } from './scenario.ts';
import { addresses } from './scenarios/addresses.ts';
import { beside } from './scenarios/beside.ts';
import { busy } from './scenarios/busy.ts';
import { clock } from './scenarios/clock.ts';
import { cold } from './scenarios/cold.ts';
import { displays } from './scenarios/displays.ts';
import { events } from './scenarios/events.ts';
import { fair } from './scenarios/fair.ts';
import { follow } from './scenarios/follow.ts';
import { gateways } from './scenarios/gateways.ts';
import { growth } from './scenarios/growth.ts';
import { guests } from './scenarios/guests.ts';
import { history } from './scenarios/history.ts';
import { hotMenu } from './scenarios/hot-menu.ts';
import { idleConnections } from './scenarios/idle-connections.ts';
import { idleWorkers } from './scenarios/idle-workers.ts';
import { items } from './scenarios/items.ts';
import { gatewayKills, kills } from './scenarios/kills.ts';
import { languages } from './scenarios/languages.ts';
import { manyTenants } from './scenarios/many-tenants.ts';
import { memory } from './scenarios/memory.ts';
import { misspelt } from './scenarios/misspelt.ts';
import { pages } from './scenarios/pages.ts';
import { panel } from './scenarios/panel.ts';
import { photos } from './scenarios/photos.ts';
import { reports } from './scenarios/reports.ts';
import { screens } from './scenarios/screens.ts';
import { slices } from './scenarios/slices.ts';
import { start } from './scenarios/start.ts';
import { streams } from './scenarios/streams.ts';
import { webhooks } from './scenarios/webhooks.ts';
import { wholeMenu } from './scenarios/whole-menu.ts';
import { writes } from './scenarios/writes.ts';

/** Every scenario, in the order of a run. */
export const scenarios: readonly Scenario[] = [
  ...[
    hotMenu,
    pages,
    manyTenants,
    gateways,
    addresses,
    items,
    misspelt,
    cold,
    languages,
    busy,
    displays,
  ],
  ...[guests, follow, screens, streams],
  ...[
    idleConnections,
    idleWorkers,
    memory,
    start,
    writes,
    beside,
    slices,
    fair,
    wholeMenu,
    kills,
    gatewayKills,
  ],
  ...[events, reports, panel, photos, growth, history, clock, webhooks],
];
