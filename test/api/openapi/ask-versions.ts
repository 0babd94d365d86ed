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
  expectStatus(status: number, answer: Promise<Response>): Promise<Response>;
  /** Asks for a job until it is finished. */
  result(accepted: Response): Promise<Response>;
}

const ASYNC = { Prefer: 'respond-async' };

/** Asks about versions that are kept, about one that was changed since, and about one that is gone. */
export async function askVersions(
  { call, expectStatus, result }: Calls,
  databaseUrl: string,
): Promise<void> {
  const all = '/admin/versions';
  const queries = { '': 200, '?after=1&limit=2': 200, '?after=x': 422, '?after=9999': 410 };
  for (const [query, status] of Object.entries(queries)) {
    await expectStatus(status, call('GET', all + query));
  }
  const { etag = '' } = (await expectStatus(200, call('GET', `${all}/1/menu`))).headers;
  await expectStatus(304, call('GET', `${all}/1/menu`, undefined, { 'If-None-Match': etag }));
  await call('PATCH', '/admin/items/1', { price: 8.8 });
  const { latest } = (await call('GET', all)).json.meta;
  await expectStatus(200, call('GET', `${all}/${latest}`));
  await call('PATCH', '/admin/items/1', { price: 8.9 });
  await expectStatus(409, call('POST', `${all}/${latest}/undo`, {}));
  for (const way of ['undo', 'restore']) {
    const path = `${all}/${latest}/${way}`;
    await expectStatus(200, call('POST', path, { dry_run: true, skip_conflicts: true }));
    await result(await expectStatus(202, call('POST', path, { dry_run: true }, ASYNC)));
  }
  await runSql(databaseUrl, 'delete from versions where version < 2');
  for (const end of ['', '/menu']) await expectStatus(410, call('GET', `${all}/1${end}`));
  for (const way of ['undo', 'restore']) {
    await expectStatus(410, call('POST', `${all}/1/${way}`, {}));
    await result(await expectStatus(202, call('POST', `${all}/1/${way}`, {}, ASYNC)));
  }
}
