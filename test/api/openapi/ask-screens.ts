import { saveScreenCode } from '../../../db/sql/screens.ts';
import type { MenuService } from '../../support/menu-service.ts';
import type { Calls } from './ask-versions.ts';

/** Asks about screens: one is placed, shown, changed, named and deleted. */
export async function askScreens(
  { call }: Pick<Calls, 'call'>,
  { db, tenantId }: Pick<MenuService, 'db' | 'tenantId'>,
): Promise<void> {
  const all = '/admin/screens';
  await saveScreenCode(db, tenantId, { hash: Buffer.alloc(32, 7), client: '1' }, 'BCDFGH');
  const made = (await call('POST', all, { name: 'Sala', code: 'bcd fgh' })).expect(201);
  (await call('POST', all, { name: 'Sala', code: 'BCDFGH' })).expect(422);
  const path = `${all}/${made.json.data.id}`;
  for (const one of [all, path]) (await call('GET', one)).expect(200);
  (await call('PATCH', path, { columns: 1, shoes: 43 })).expect(200);
  (await call('PATCH', path, { columns: 5 })).expect(422);
  for (const form of ['html', 'lavagna'])
    (await call('GET', `${path}/bundle?as=${form}`)).expect(200);
  (await call('GET', `${path}/bundle?as=pdf`)).expect(422);
  (await call('POST', `${path}/show-name`)).expect(204);
  (await call('DELETE', path)).expect(204);
  (await call('DELETE', path)).expect(404);
}
