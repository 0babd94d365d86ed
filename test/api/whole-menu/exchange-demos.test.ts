// The demo menus in the formats of other services.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  abroad,
  houses,
  pizzeria,
  samples,
  trattoria,
  underLaws,
} from '../../../db/operator/demo/restaurant.ts';
import { inOneGo } from '../../../db/runtime/in-slices.ts';
import { EXPORT_TARGETS } from '../../../db/schema/exchange-report.ts';
import { exportMenu, filledInSteps } from '../../../db/snapshot/menu-document.ts';
import { BOTH_WAYS, checkExport, lossesOf } from '../../support/exchange-properties.ts';
import { menuService } from '../../support/menu-service.ts';
import { plant, restaurantOf } from '../../support/restaurant.ts';

const service = await menuService([restaurantOf('empty', [])]);

for (const demo of [trattoria, pizzeria, ...houses, ...samples, ...abroad, ...underLaws]) {
  test(`${demo.slug}, is a valid document of each service, and comes back but for named losses`, async () => {
    const tenantId = await plant(service.db, demo);
    const exported = await service.db.moment((tx) => exportMenu(tx, tenantId));
    const document = inOneGo(filledInSteps(exported.document));
    const menu = { ...document, settings: { ...(document.settings as object), slug: demo.slug } };
    for (const target of EXPORT_TARGETS) checkExport(target, menu);
    for (const target of BOTH_WAYS) assert.deepEqual(lossesOf(target, menu), [], target);
  });
}
