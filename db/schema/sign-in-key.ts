import { hash } from 'node:crypto';

/**
 * What stands in `sign_in_attempts` for an account or for a client.
 *
 * @param name an e-mail address in lower case, or a client's network
 */
export function signInKey(name: string): Buffer {
  return hash('sha256', name, 'buffer');
}
