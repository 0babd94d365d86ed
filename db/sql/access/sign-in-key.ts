import { sql } from '../../postgres/sql.ts';

/**
 * The key of an account or a client in `sign_in_attempts`: a hash that only this database can
 * make.
 *
 * @param name an e-mail address in lower case, or a client's network
 */
export function signInKey(name: string) {
  return sql.fragment`
    (select sha256(secret || convert_to(${name}, 'UTF8')) from sign_in_secret)
  `;
}
