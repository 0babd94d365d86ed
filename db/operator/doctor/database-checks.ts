import type pg from 'pg';
import type { Config } from '../../runtime/config.ts';
import { constants } from '../../runtime/constants.ts';
import { findPending } from '../database/migrate.ts';
import { bad, type Check, doubtful, good } from './check.ts';

/** The first Postgres whose `pg_terminate_backend` can wait, as `server_version_num` counts. */
const OLDEST_VERSION = 140_000;
/** Connections of a process beside its pools: to listen, to count, to be asked by an operator. */
const EXTRA_CONNECTIONS = 3;
/** How far the clocks may be apart, in ms, before reports put events into the wrong hour. */
const CLOCK_TOLERANCE = 2_000;

export async function checkVersion(client: pg.Client): Promise<Check> {
  const { rows } = await client.query(`
    select current_setting('server_version') as version,
      current_setting('server_version_num')::int as number,
      current_setting('transaction_read_only')::bool as is_read_only
  `);
  const { version, number, is_read_only: isReadOnly } = rows[0];
  const found = `Postgres ${version} answers.`;
  if (number < OLDEST_VERSION) {
    return bad('database', found, 'Lavagna needs Postgres 14 or later: upgrade the server.');
  }
  if (!isReadOnly) return good('database', found);
  return bad(
    'database',
    `Postgres ${version} answers, and takes no changes: default_transaction_read_only is on.`,
    'Switch it off for the server, the database and the role, and ask why somebody set it: a disk may be full.',
  );
}

interface Room {
  /** Which bound it is. */
  name: string;
  connections: number;
}

/** The least of the bounds that hold for our connections; -1 is none, and a superuser has but one. */
async function findRoom(client: pg.Client): Promise<Room> {
  const { rows } = await client.query<Room>(`
    select name, connections
    from pg_roles join pg_database on datname = current_database(), lateral (values
      ('max_connections', current_setting('max_connections')::int),
      ('The connection limit of the role', case when rolsuper then -1 else rolconnlimit end),
      ('The connection limit of the database', case when rolsuper then -1 else datconnlimit end)
    ) as room (name, connections)
    where rolname = session_user and connections >= 0
    order by connections limit 1
  `);
  return rows[0] as Room;
}

/** Whether all processes of the formation find room, with as much again for a rolling restart. */
export async function checkConnections(client: pg.Client, config: Config): Promise<Check> {
  const { name, connections } = await findRoom(client);
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

export async function checkMigrations(client: pg.Client): Promise<Check> {
  const { pending, problem } = await findPending(client);
  if (problem !== undefined) {
    return bad('migrations', problem, 'Run the version of Lavagna that the database belongs to.');
  }
  if (pending.length === 0) return good('migrations', 'All are applied.');
  return bad('migrations', `Not applied: ${pending.join(', ')}.`, 'Run the command migrate.');
}

/** A worker makes a table for each day's events, which only the owner of the others may attach. */
export async function checkOwner(client: pg.Client): Promise<Check> {
  const { rows } = await client.query<{ owner: string; is_ours: boolean }>(`
    select relowner::regrole::text as owner, pg_has_role(relowner, 'usage') as is_ours
    from pg_class where oid = to_regclass('tenants')
  `);
  const [tables] = rows;
  if (!tables) return good('owner', 'There are no tables yet.');
  const found = `The tables belong to the role ${tables.owner}.`;
  if (tables.is_ours) return good('owner', found);
  return bad('owner', found, 'Let DATABASE_URL name that role, or give it the tables.');
}

/** Compares the clocks; what the question itself takes is halved between the two ways. */
export async function checkClock(client: pg.Client): Promise<Check> {
  const asked = Date.now();
  const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now');
  const here = (asked + Date.now()) / 2;
  const apart = Math.round(here - (rows[0]?.now.getTime() ?? 0));
  const found = `This machine is ${Math.abs(apart)} ms ${apart < 0 ? 'behind' : 'ahead of'} Postgres.`;
  if (Math.abs(apart) < CLOCK_TOLERANCE) return good('clock', found);
  return doubtful('clock', found, 'Let NTP set the clock of both machines.');
}
