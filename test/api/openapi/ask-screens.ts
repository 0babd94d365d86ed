import { saveScreenCode } from '../../../db/sql/screens.ts';
import type { MenuService } from '../../support/menu-service.ts';
import type { Calls } from './ask-versions.ts';

/** Asks about screens: one is placed, shown, changed, named and deleted. */
export async function askScreens(
  { call, expectStatus }: Pick<Calls, 'call' | 'expectStatus'>,
  { db, tenantId }: Pick<MenuService, 'db' | 'tenantId'>,
): Promise<void> {
  const all = '/admin/screens';
  await saveScreenCode(db, tenantId, { hash: Buffer.alloc(32, 7), client: '1' }, 'BCDFGH');
  const made = await expectStatus(201, call('POST', all, { name: 'Sala', code: 'bcd fgh' }));
  await expectStatus(422, call('POST', all, { name: 'Sala', code: 'BCDFGH' }));
  const path = `${all}/${made.json.data.id}`;
  for (const one of [all, path]) await expectStatus(200, call('GET', one));
  await expectStatus(200, call('PATCH', path, { columns: 1, shoes: 43 }));
  await expectStatus(422, call('PATCH', path, { columns: 5 }));
  for (const form of ['html', 'lavagna'])
    await expectStatus(200, call('GET', `${path}/bundle?as=${form}`));
  await expectStatus(422, call('GET', `${path}/bundle?as=pdf`));
  await expectStatus(204, call('POST', `${path}/show-name`));
  await expectStatus(204, call('DELETE', path));
  await expectStatus(404, call('DELETE', path));
}
