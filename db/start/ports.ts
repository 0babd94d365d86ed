import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config } from '../config.ts';
import { OperatorError } from '../operator-error.ts';
import type { Process } from './processes.ts';

const maxPort = 65_535;

/**
 * Makes sure that every port the processes will listen on is free. The gateways bind theirs so
 * that several may share it, and would silently share it with a stranger, too.
 *
 * @throws {OperatorError} naming the port and the variable it comes from.
 */
export async function assertPortsFree(config: Config, processes: Process[]): Promise<void> {
  const gateways = processes.some(({ kind }) => kind === 'gateway');
  if (gateways) await assertFree(config.port, `PORT ${config.port}`, 'PORT');
  for (const { name, opsPort } of processes) {
    const origin =
      opsPort === config.opsPort
        ? `OPS_PORT ${opsPort}`
        : `Port ${opsPort}, which follows from OPS_PORT ${config.opsPort} for ${name},`;
    if (opsPort > maxPort || (gateways && opsPort === config.port)) {
      const reason = opsPort > maxPort ? 'does not exist' : 'is PORT as well';
      throw new OperatorError(`${origin} ${reason}; choose another OPS_PORT.`);
    }
    await assertFree(opsPort, origin, 'OPS_PORT');
  }
}

async function assertFree(port: number, origin: string, variable: string): Promise<void> {
  const probe = createServer();
  try {
    probe.listen({ port, exclusive: true });
    await once(probe, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EACCES') {
      throw new OperatorError(
        `${origin} is reserved for root; choose another ${variable}, of 1024 or more.`,
      );
    }
    if (code !== 'EADDRINUSE') throw error;
    throw new OperatorError(
      `${origin} is taken by another program; end that one or choose another ${variable}.`,
    );
  }
  probe.close();
  await once(probe, 'close');
}
