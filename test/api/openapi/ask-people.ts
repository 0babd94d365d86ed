import { MISSING } from '../../support/documented-operations.ts';
import type { Calls } from './ask-versions.ts';

/** Asks about people: one is invited, changed and removed. */
export async function askPeople({
  call,
  expectStatus,
}: Pick<Calls, 'call' | 'expectStatus'>): Promise<void> {
  const person = { name: 'Ada', email: 'ada@example.com', role: 'editor' };
  const invited = await expectStatus(201, call('POST', '/admin/users', person));
  await expectStatus(422, call('POST', '/admin/users', person));
  const { json } = await expectStatus(200, call('GET', '/admin/users'));
  const path = `/admin/users/${invited.json.data.id}`;
  await expectStatus(200, call('PATCH', path, { role: 'service', shoes: 43 }));
  await expectStatus(404, call('PATCH', `/admin/users/${MISSING.id}`, {}));
  await expectStatus(422, call('DELETE', `/admin/users/${json.data.at(-1).id}`));
  await expectStatus(204, call('DELETE', path));
  await expectStatus(404, call('DELETE', path));
}
