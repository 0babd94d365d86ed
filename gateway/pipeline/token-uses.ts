import type { Logger } from 'pino';
import type { Db } from '../../db/postgres/sql.ts';
import type { Constants } from '../../db/runtime/constants.ts';
import type { Running } from '../../db/runtime/running.ts';
import { recordTokenUses, type TokenKey, type TokenUse } from '../../db/sql/tokens.ts';
import { createNoted } from '../runtime/noted.ts';

/** Remembers when tokens were used and writes it down now and then, not once a request. */
export interface TokenUses extends Running {
  note(token: TokenKey): void;
}

export function createTokenUses(
  db: Db,
  log: Logger,
  { tokenUseInterval, notesPerWrite }: Pick<Constants, 'tokenUseInterval' | 'notesPerWrite'>,
): TokenUses {
  const { note, stop } = createNoted<TokenUse>({
    write: (uses) => recordTokenUses(db, uses),
    nameOf: ({ tenantId, id }) => `${tenantId}/${id}`,
    interval: tokenUseInterval,
    maxItems: notesPerWrite,
    what: 'when tokens were last used',
    log,
  });
  return { note: ({ tenantId, id }) => note({ tenantId, id, usedAt: new Date() }), stop };
}
