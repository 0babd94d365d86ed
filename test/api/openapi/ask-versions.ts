import type { Response } from '../../support/http.ts';
import { runSql } from '../../support/sql.ts';

/** Calls that hold each answer against the document. */
export interface Calls {
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Response>;
  /** Asks for a job until it is finished. */
  result(accepted: Response): Promise<Response>;
}

const ASYNC = { Prefer: 'respond-async' };

/** Asks about versions that are kept, about one that was changed since, and about one that is gone. */
export async function askVersions({ call, result }: Calls, databaseUrl: string): Promise<void> {
  const all = '/admin/versions';
  const queries = { '': 200, '?after=1&limit=2': 200, '?after=x': 422, '?after=9999': 410 };
  for (const [query, status] of Object.entries(queries)) {
    (await call('GET', all + query)).expect(status);
  }
  const { etag = '' } = (await call('GET', `${all}/1/menu`)).expect(200).headers;
  (await call('GET', `${all}/1/menu`, undefined, { 'If-None-Match': etag })).expect(304);
  await call('PATCH', '/admin/items/1', { price: 8.8 });
  const { latest } = (await call('GET', all)).json.meta;
  (await call('GET', `${all}/${latest}`)).expect(200);
  await call('PATCH', '/admin/items/1', { price: 8.9 });
  (await call('POST', `${all}/${latest}/undo`, {})).expect(409);
  for (const way of ['undo', 'restore']) {
    const path = `${all}/${latest}/${way}`;
    (await call('POST', path, { dry_run: true, skip_conflicts: true })).expect(200);
    await result((await call('POST', path, { dry_run: true }, ASYNC)).expect(202));
  }
  await runSql(databaseUrl, 'delete from versions where version < 2');
  for (const end of ['', '/menu']) (await call('GET', `${all}/1${end}`)).expect(410);
  for (const way of ['undo', 'restore']) {
    (await call('POST', `${all}/1/${way}`, {})).expect(410);
    await result((await call('POST', `${all}/1/${way}`, {}, ASYNC)).expect(202));
  }
}
