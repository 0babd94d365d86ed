import { setTimeout as sleep } from 'node:timers/promises';
import { createPgClient } from '../../postgres/pg-client.ts';
import type { Db } from '../../postgres/sql.ts';
import { constants } from '../../runtime/constants.ts';
import { describeDatabaseUrl } from '../../runtime/database-url.ts';
import { countBytesBehind, findLogPlace, findStanding } from '../../sql/server.ts';
import { findPending } from '../database/migrate.ts';
import { bad, type Check, doubtful, good } from './check.ts';

const NAME = 'replica';
/** How far a standby may be behind, in ms, before gateways mostly read the primary. */
const LAG_TOLERANCE = 1_000;
const POLL = 20;

/** How long the standby takes to come to where the primary is now. */
async function checkLag(primary: Db, standby: Db): Promise<Check> {
  const place = await findLogPlace(primary);
  const asked = performance.now();
  const took = () => Math.ceil(performance.now() - asked);
  let bytes = await countBytesBehind(standby, place);
  while (bytes > 0 && took() < constants.doctorTimeout) {
    await sleep(POLL);
    bytes = await countBytesBehind(standby, place);
  }
  const advice = 'Until it follows, the primary is read: see pg_stat_replication there.';
  if (bytes > 0) {
    const found = `The standby is ${bytes} bytes behind and stays so for ${took()} ms.`;
    return doubtful(NAME, found, advice);
  }
  const found = `The standby follows within ${took()} ms.`;
  return took() < LAG_TOLERANCE ? good(NAME, found) : doubtful(NAME, found, advice);
}

async function compare(primary: Db, replica: Db): Promise<Check> {
  const [original, copy] = [await findStanding(primary), await findStanding(replica)];
  if (copy.system !== original.system) {
    const advice = 'Name a standby of the database that DATABASE_URL names, or none.';
    return bad(NAME, 'It is a copy of another database.', advice);
  }
  if (!copy.follows) {
    const advice = 'Name a standby, or leave DATABASE_REPLICA_URL empty.';
    return doubtful(NAME, 'It is no standby: it takes writes itself.', advice);
  }
  const { pending, problem } = await findPending(replica);
  if (problem === undefined && pending.length === 0) return checkLag(primary, replica);
  const found = problem ?? `Not applied there: ${pending.join(', ')}.`;
  return bad(NAME, found, 'See that it follows the primary, or run the command migrate.');
}

/** Whether the standby from which gateways read menus is one, and how far it is behind. */
export async function checkReplica(primary: Db, replicaUrl: string): Promise<Check> {
  const { client, db, close } = createPgClient(replicaUrl, {
    application_name: 'lavagna',
    connectionTimeoutMillis: constants.doctorTimeout,
    query_timeout: constants.doctorTimeout,
  });
  try {
    await client.connect();
    return await compare(primary, db);
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    const place = `The replica at ${describeDatabaseUrl(replicaUrl)} (DATABASE_REPLICA_URL)`;
    const advice = 'Gateways read the primary meanwhile: start the standby, or mend the variable.';
    return bad(NAME, `${place} cannot be read: ${message || code}.`, advice);
  } finally {
    await close();
  }
}
