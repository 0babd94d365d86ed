import { runSql } from '../../support/sql.ts';
import type { Calls } from './ask-versions.ts';

/** Asks about host names: one is asked for, shown, looked for, served and given up. */
export async function askHosts(
  { call, expectStatus }: Pick<Calls, 'call' | 'expectStatus'>,
  databaseUrl: string,
): Promise<void> {
  const all = '/admin/hosts';
  const made = await expectStatus(201, call('POST', all, { name: 'carta.invalid', shoes: 43 }));
  const path = `${all}/${made.json.data.id}`;
  for (const one of [all, path]) await expectStatus(200, call('GET', one));
  await expectStatus(422, call('POST', all, { name: 'carta' }));
  await expectStatus(422, call('POST', `${path}/verify`));
  await runSql(databaseUrl, 'update hosts set verified_at = now()');
  await expectStatus(200, call('POST', `${path}/verify`));
  await expectStatus(204, call('DELETE', path));
  await expectStatus(404, call('DELETE', path));
}
