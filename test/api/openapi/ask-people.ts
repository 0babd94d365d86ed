import { MISSING } from '../../support/documented-operations.ts';
import type { Calls } from './ask-versions.ts';

/** Asks about people: one is invited, changed and removed. */
export async function askPeople({ call }: Pick<Calls, 'call'>): Promise<void> {
  const person = { name: 'Ada', email: 'ada@example.com', role: 'editor' };
  const invited = (await call('POST', '/admin/users', person)).expect(201);
  (await call('POST', '/admin/users', person)).expect(422);
  const { json } = (await call('GET', '/admin/users')).expect(200);
  const path = `/admin/users/${invited.json.data.id}`;
  (await call('PATCH', path, { role: 'service', shoes: 43 })).expect(200);
  (await call('PATCH', `/admin/users/${MISSING.id}`, {})).expect(404);
  (await call('DELETE', `/admin/users/${json.data.at(-1).id}`)).expect(422);
  (await call('DELETE', path)).expect(204);
  (await call('DELETE', path)).expect(404);
}
