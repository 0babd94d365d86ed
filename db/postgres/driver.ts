import pg from 'pg';
import {
  BackendTerminatedError,
  createDriverFactory,
  type DriverClientEventEmitter,
  type DriverCommand,
  type DriverFactory,
  UniqueIntegrityConstraintViolationError,
} from 'slonik';
import { CANCELLED_WAIT, OverdueError } from './outage.ts';
import { createPgClient } from './pg-client.ts';
import { planOf } from './sql.ts';

const UNIQUE_VIOLATION = '23505';

/** An error of Postgres as slonik's, where its kind is asked for. */
export function typedError(error: Error & { code?: unknown }): Error {
  return error.code === UNIQUE_VIOLATION
    ? new UniqueIntegrityConstraintViolationError(error)
    : error;
}

/** Whether an error leaves its connection in an unknown state: Postgres did not answer, or hung up. */
function isLoss(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || error.severity === 'FATAL';
}

export interface Driver {
  create: DriverFactory;
  /** Resolves when every connection that slonik has given up is closed. */
  closed(): Promise<void>;
}

/**
 * slonik's driver: connections of pg on our way to the database, which finds the primary and knows
 * timeouts for which slonik's own driver has no settings.
 *
 * @param keepsPlans whether Postgres may keep the plans of statements (`sql.prepared`)
 */
export function createDriver(url: string, config: pg.ClientConfig, keepsPlans: boolean): Driver {
  const closings = new Set<Promise<void>>();
  const connect = (events: DriverClientEventEmitter) => {
    const { client, close } = createPgClient(url, config);
    let isIdle = false;
    let isUnsafe = false;
    events.on('acquire', () => {
      isIdle = false;
    });
    events.on('release', () => {
      isIdle = true;
    });
    // slonik loses count of a connection that breaks during a statement, which rejects all the same.
    client.once('end', () => {
      if (isIdle) events.emit('error', new Error('the connection ended'));
    });
    client.on('notice', ({ routine }) => {
      if (routine === CANCELLED_WAIT) isUnsafe = true;
    });
    const send = async (text: string, values: unknown[] = []) => {
      const name = keepsPlans ? planOf(text) : undefined;
      const result = await client.query({ text, values, ...(name && { name }) }).catch((error) => {
        throw isLoss(error) ? new BackendTerminatedError(error) : typedError(error);
      });
      // Only this host has the commit: somebody cancelled its wait for a synchronous standby, and
      // Postgres only warns.
      if (isUnsafe) {
        isUnsafe = false;
        throw new OverdueError('the wait for the standby was cancelled');
      }
      return result;
    };
    return {
      connect: async () => {
        await client.connect().catch(async (error) => {
          await close();
          throw error;
        });
      },
      end: async () => {
        isIdle = false;
        // A caller whose statement has failed does not wait until a dead connection is closed.
        const closing = close().finally(() => closings.delete(closing));
        closings.add(closing);
      },
      query: async (text: string, values?: unknown[]) => {
        const { command, rowCount, rows } = await send(text, values);
        // Nothing reads the fields: a statement has the schema of its rows.
        return { command: command as DriverCommand, fields: [], rowCount, rows };
      },
      stream: () => {
        throw new Error('no statement of ours is streamed');
      },
    };
  };
  return {
    create: createDriverFactory(async () => ({
      createPoolClient: async ({ clientEventEmitter }) => connect(clientEventEmitter),
    })),
    closed: async () => {
      await Promise.all(closings);
    },
  };
}
