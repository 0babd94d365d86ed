import type { Db } from '../../db/postgres/sql.ts';
import { certain } from '../../db/runtime/certain.ts';
import { insertToken } from '../../db/sql/tokens.ts';

/** A token of a test's own. */
export async function createToken(db: Db, token: Parameters<typeof insertToken>[1]) {
  return certain(await insertToken(db, token), 'a token');
}
