// The places of screens that wait for somebody who types their letters: shared by address.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { trattoria } from '../../../db/operator/demo/restaurant.ts';
import { constants } from '../../../db/runtime/constants.ts';
import { menuService } from '../../support/menu-service.ts';

// A gateway also bounds the letters that it hands out in a minute.
const changed = { maxScreenCodes: 1_000 };
const env = { TRUSTED_PROXIES: '127.0.0.0/8' };
const service = await menuService([trattoria], { env, constants: changed });
beforeEach(() => service.sql('delete from screen_codes'));

/** Whether a new browser at an address is shown letters. */
async function isShown(from: string): Promise<boolean> {
  const page = await service.client.send('/screen', { headers: { 'X-Forwarded-For': from } });
  assert.equal(page.status, 200);
  return /class="letters"/.test(page.text);
}
async function openMany(from: string, count: number): Promise<number> {
  const shown = await Promise.all(Array.from({ length: count }, () => isShown(from)));
  return shown.filter(Boolean).length;
}
const countWaiting = async () =>
  (await service.sql('select count(*)::int as n from screen_codes'))[0].n;

test('/screen shows letters to an owner while four strangers open it as often as they can', async () => {
  for (const n of [1, 2, 3, 4]) await openMany(`192.0.2.${n}`, 30);
  assert.equal(await isShown('198.51.100.1'), true);
});

test('/screen shows no letters to an address that has all its places', async () => {
  const { maxWaitingScreensPerClient: most } = constants;
  for (let n = 0; n < 3; n += 1) await openMany('192.0.2.1', 30);
  assert.equal(await isShown('192.0.2.1'), false);
  // Requests of the same moment may pass the bound by some.
  assert.ok((await countWaiting()) <= most + 30);
});

test('/screen takes a place from the address with the most when all are taken', async () => {
  const { maxWaitingScreens, maxWaitingScreensPerClient: most } = constants;
  await service.sql`insert into screen_codes (tenant_id, code, hash, client, expires_at)
     select ${service.tenantId}, 'C' || n, sha256(convert_to(n::text, 'UTF8')),
       sha256(convert_to((n / ${most})::text, 'UTF8')), now() + interval '4 minutes'
     from generate_series(0, ${maxWaitingScreens} - 1) n`;
  assert.equal(await isShown('198.51.100.1'), true);
  assert.equal(await isShown('198.51.100.2'), true);
  assert.equal(await countWaiting(), maxWaitingScreens);
});
