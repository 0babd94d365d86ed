import { runSql } from '../../support/sql.ts';
import type { Calls } from './ask-versions.ts';

/** Asks about host names: one is asked for, shown, looked for, served and given up. */
export async function askHosts({ call }: Pick<Calls, 'call'>, databaseUrl: string): Promise<void> {
  const all = '/admin/hosts';
  const made = (await call('POST', all, { name: 'carta.invalid', shoes: 43 })).expect(201);
  const path = `${all}/${made.json.data.id}`;
  for (const one of [all, path]) (await call('GET', one)).expect(200);
  (await call('POST', all, { name: 'carta' })).expect(422);
  (await call('POST', `${path}/verify`)).expect(422);
  await runSql(databaseUrl, 'update hosts set verified_at = now()');
  (await call('POST', `${path}/verify`)).expect(200);
  (await call('DELETE', path)).expect(204);
  (await call('DELETE', path)).expect(404);
}
