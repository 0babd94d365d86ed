import { setTimeout as sleep } from 'node:timers/promises';
import { createPgClient } from '../../postgres/pg-client.ts';
import type { Db } from '../../postgres/sql.ts';
import type { Config } from '../../runtime/config.ts';
import { constants } from '../../runtime/constants.ts';
import { describeDatabaseUrl } from '../../runtime/database-url.ts';
import { asError } from '../../runtime/operator-error.ts';
import { readClock } from '../../sql/clock.ts';
import {
  compilesStatements,
  countBytesBehind,
  findFullestSequence,
  findLackingRights,
  findLogPlace,
  findOwner,
  findRoom,
  findServerVersion,
  findStanding,
} from '../../sql/server.ts';
import { findPending } from '../database/migrate.ts';
import { bad, type Check, doubtful, good } from './check.ts';

/** The first Postgres whose `pg_terminate_backend` can wait, as `server_version_num` counts. */
const OLDEST_VERSION = 140_000;
/** Connections of a process beside its pools: to listen, to count, to be asked by an operator. */
const EXTRA_CONNECTIONS = 3;
/** How far the clocks may be apart, in ms, before reports put events into the wrong hour. */
const CLOCK_TOLERANCE = 2_000;

export async function checkVersion(db: Db): Promise<Check> {
  const { version, number, is_read_only: isReadOnly } = await findServerVersion(db);
  const found = `Postgres ${version} answers.`;
  if (number < OLDEST_VERSION) {
    return bad('database', found, 'Lavagna needs Postgres 14 or later: upgrade the server.');
  }
  if (isReadOnly) {
    return bad(
      'database',
      `Postgres ${version} answers, and takes no changes: default_transaction_read_only is on.`,
      'Switch it off for the server, the database and the role, and ask why somebody set it: a disk may be full.',
    );
  }
  if (!(await compilesStatements(db))) return good('database', found);
  return doubtful(
    'database',
    `Postgres ${version} answers, and compiles statements: jit is on. Some may take seconds.`,
    'Run the command migrate, which switches it off; a setting of the role or the URL may switch it on again.',
  );
}

/** Whether all processes of the formation find room, with as much again for a rolling restart. */
export async function checkConnections(db: Db, config: Config): Promise<Check> {
  const { name, connections } = await findRoom(db);
  const { gateway, worker } = config.formation;
  const isPooled = config.databaseUrl !== config.databaseSessionUrl;
  const gatewayPools =
    constants.gatewayConnections +
    constants.gatewayReportConnections +
    constants.gatewayPanelConnections;
  const ofGateway =
    (isPooled ? 0 : gatewayPools) + constants.gatewayQueueConnections + EXTRA_CONNECTIONS;
  const ofWorker =
    (isPooled ? 0 : constants.workerConnections) +
    constants.workerQueueConnections +
    EXTRA_CONNECTIONS;
  const taken = gateway * ofGateway + worker * ofWorker;
  const needed = 2 * taken;
  const others = isPooled ? ' beside those of the pooler of DATABASE_URL' : '';
  const found =
    `${name} is ${connections}; FORMATION takes up to ${taken}, ` +
    `restarting ${needed}${others}.`;
  if (connections < ofGateway + ofWorker) {
    return bad('connections', found, 'Raise it: one gateway and one worker need more.');
  }
  if (needed < connections) return good('connections', found);
  return doubtful('connections', found, 'Raise it or make FORMATION smaller.');
}

export async function checkMigrations(db: Db): Promise<Check> {
  const { pending, problem } = await findPending(db);
  if (problem !== undefined) {
    return bad('migrations', problem, 'Run the version of Lavagna that the database belongs to.');
  }
  if (pending.length === 0) return good('migrations', 'All are applied.');
  return bad('migrations', `Not applied: ${pending.join(', ')}.`, 'Run the command migrate.');
}

/** A worker makes a table for each day's events, which only the owner of the others may attach. */
export async function checkOwner(db: Db): Promise<Check> {
  const tables = await findOwner(db);
  if (!tables) return good('owner', 'There are no tables yet.');
  const found = `The tables belong to the role ${tables.owner}.`;
  if (tables.is_ours) return good('owner', found);
  return bad('owner', found, 'Let DATABASE_URL name that role, or give it the tables.');
}

/** Rights that a finding names. */
const MOST_NAMED = 3;

/** Whether our role may do with the tables what processes do. */
export async function checkRights(db: Db): Promise<Check> {
  const lacking = await findLackingRights(db);
  if (lacking.length === 0) return good('rights', 'The role may read and write every table.');
  const some = lacking.slice(0, MOST_NAMED).map(({ name, rights }) => `${rights} on ${name}`);
  const more = lacking.length > MOST_NAMED ? ` and ${lacking.length - MOST_NAMED} others` : '';
  const advice = 'Grant them again: grant all on all tables in schema … to the role.';
  return bad('rights', `The role lacks ${some.join('; ')}${more}.`, advice);
}

/** The share of a sequence from which its end should be planned for. */
const HALF = 0.5;
const NEAR_END = 0.9;

/** Whether ids are left for new records: those of older tables are of four bytes. */
export async function checkIds(db: Db): Promise<Check> {
  const fullest = await findFullestSequence(db);
  const percent = Math.floor((fullest?.share ?? 0) * 100);
  const found = `The fullest sequence, ${fullest?.name ?? 'none'}, has given ${percent} % of its ids.`;
  if (!fullest || fullest.share < HALF) return good('ids', found);
  const advice =
    'Read decision 9 of DESIGN before it ends: no record of this kind can be made then.';
  return fullest.share < NEAR_END ? doubtful('ids', found, advice) : bad('ids', found, advice);
}

/** Compares the clocks; what the question itself takes is halved between the two ways. */
export async function checkClock(db: Db): Promise<Check> {
  const asked = Date.now();
  const there = await readClock(db);
  const here = (asked + Date.now()) / 2;
  const apart = Math.round(here - there.getTime());
  const found = `This machine is ${Math.abs(apart)} ms ${apart < 0 ? 'behind' : 'ahead of'} Postgres.`;
  if (Math.abs(apart) < CLOCK_TOLERANCE) return good('clock', found);
  return doubtful('clock', found, 'Let NTP set the clock of both machines.');
}

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
  await using replica = createPgClient(replicaUrl, {
    application_name: 'lavagna',
    connectionTimeoutMillis: constants.doctorTimeout,
    query_timeout: constants.doctorTimeout,
  });
  try {
    await replica.client.connect();
    return await compare(primary, replica.db);
  } catch (error) {
    const { message, code } = asError(error);
    const place = `The replica at ${describeDatabaseUrl(replicaUrl)} (DATABASE_REPLICA_URL)`;
    const advice = 'Gateways read the primary meanwhile: start the standby, or mend the variable.';
    return bad(NAME, `${place} cannot be read: ${message || code}.`, advice);
  }
}
