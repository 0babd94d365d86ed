import type { Config } from '../../runtime/config.ts';
import { OperatorError } from '../../runtime/operator-error.ts';
import { portTrouble } from '../../runtime/port.ts';
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
  const trouble = await portTrouble(port);
  if (trouble !== undefined) {
    throw new OperatorError(`${origin} ${trouble}; choose another ${variable}.`);
  }
}
