import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { v7 as uuidV7 } from 'uuid';
import type { Database } from '../../postgres/connection.ts';
import { createBoss } from '../../queue/boss.ts';
import { sendWrites } from '../../queue/send-writes.ts';
import { type Constants, constants as defaults } from '../../runtime/constants.ts';
import { OperatorError } from '../../runtime/operator-error.ts';
import type { AskedTable } from '../../schema/table.ts';
import type { NewWrite, WriteResult } from '../../schema/write.ts';
import { findWriteResults, secureWrites } from '../../sql/write-results.ts';
import type { Context } from './command.ts';

/** The `token_id` of a write that an operator's command sends. */
const OPERATOR = 0;

async function send(databaseUrl: string, write: NewWrite): Promise<void> {
  const boss = createBoss(databaseUrl, { log: pino({ level: 'silent' }), max: 1 });
  await boss.start();
  try {
    const [submitted] = await sendWrites(boss, [write], () => false, defaults);
    if (!submitted?.inserted) {
      throw new OperatorError(
        `The restaurant has ${defaults.maxWaitingWrites} waiting writes, and may not have more: try again later.`,
      );
    }
  } finally {
    await boss.stop({ graceful: false });
  }
}

/**
 * Hands a document to the queue, as the admin API does, and waits until a worker has done it.
 *
 * @param input how the document is to be taken, as `PUT /admin/import` is asked
 * @throws {OperatorError} when the queue is full, or no worker has done it in time
 */
export async function importMenu(
  { database, databaseUrl, progress }: Pick<Context, 'database' | 'databaseUrl' | 'progress'>,
  tenantId: number,
  document: Buffer,
  input: {
    format: 'json' | 'csv';
    dry_run: boolean;
    delete_missing: boolean;
    table?: AskedTable;
  },
  constants: Pick<typeof defaults, 'resultPoll' | 'commandWriteTimeout'> = defaults,
): Promise<WriteResult> {
  const id = uuidV7();
  await send(databaseUrl, {
    ...{ tenant_id: tenantId, id, token_id: OPERATOR, record_id: null, expected_tags: null },
    ...{ resource: 'menu', action: 'import', input, document, idempotency_key: null, ignored: [] },
    request_hash: createHash('sha256').update(JSON.stringify(input)).update(document).digest(),
  });
  progress(`sent ${document.length} bytes; waiting for a worker`);
  const key = { tenantId, id };
  const result = await awaitResult(database, key, constants);
  if (result) return result;
  if ((await secureWrites(database, [key])).size === 0) {
    throw new OperatorError('The import was lost: Postgres has crashed. Nothing was changed.');
  }
  const seconds = constants.commandWriteTimeout / 1_000;
  throw new OperatorError(
    `No worker has done the import in ${seconds} s. It stays in the queue, and a worker does it ` +
      'as soon as one runs: start one with npm start or npm run worker.',
  );
}

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
