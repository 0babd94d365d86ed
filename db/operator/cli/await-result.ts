import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../postgres/connection.ts';
import type { Constants } from '../../runtime/constants.ts';
import type { WriteResult } from '../../schema/write.ts';
import { findWriteResults } from '../../sql/write-results.ts';

/** The result of a write; null when no worker has done it in `commandWriteTimeout`. */
export async function awaitResult(
  database: Database,
  key: { tenantId: number; id: string },
  { resultPoll, commandWriteTimeout }: Pick<Constants, 'resultPoll' | 'commandWriteTimeout'>,
): Promise<WriteResult | null> {
  const end = performance.now() + commandWriteTimeout;
  for (;;) {
    const [found] = await findWriteResults(database, [key]);
    if (found?.result) return found.result;
    if (performance.now() >= end) return null;
    await sleep(resultPoll);
  }
}
