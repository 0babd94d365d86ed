import type { Logger } from 'pino';
import type { Db } from '../../db/postgres/sql.ts';
import type { Constants } from '../../db/runtime/constants.ts';
import { type Running, stopOnce } from '../../db/runtime/running.ts';
import { recordTokenUses, type TokenKey, type TokenUse } from '../../db/sql/tokens.ts';

/** Remembers when tokens were used and writes it down now and then, not once a request. */
export interface TokenUses extends Running {
  note(token: TokenKey): void;
}

export function createTokenUses(
  db: Db,
  log: Logger,
  constants: Pick<Constants, 'tokenUseInterval'>,
): TokenUses {
  let unwritten = new Map<string, TokenUse>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let isStopped = false;

  const write = async () => {
    const uses = unwritten;
    unwritten = new Map();
    try {
      await recordTokenUses(db, [...uses.values()]);
    } catch (error) {
      log.warn({ err: error }, 'could not note when tokens were last used; will retry');
      unwritten = new Map([...uses, ...unwritten]);
    }
  };
  const flush = () => {
    timer = undefined;
    writing = write().then(() => {
      if (unwritten.size > 0) arm();
    });
  };
  const arm = () => {
    if (!isStopped) timer ??= setTimeout(flush, constants.tokenUseInterval);
  };

  return {
    note: ({ tenantId, id }) => {
      unwritten.set(`${tenantId}/${id}`, { tenantId, id, usedAt: new Date() });
      arm();
    },
    // Writes what is still unwritten.
    ...stopOnce(async () => {
      isStopped = true;
      clearTimeout(timer);
      await writing;
      if (unwritten.size > 0) await write();
    }),
  };
}
