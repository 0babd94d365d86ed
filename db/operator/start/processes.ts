import { readFile } from 'node:fs/promises';
import { type Config, type ProcessKind, processKinds } from '../../runtime/config.ts';
import { OperatorError } from '../../runtime/operator-error.ts';

/** One process of the formation: `gateway.2` is the second gateway. */
export type Process = {
  name: string;
  kind: ProcessKind;
  command: string;
  opsPort: number;
};

const procfile = new URL('../../../Procfile', import.meta.url);

/** The commands of the Procfile by the kind of process, one `kind: command` a line. */
async function readProcfile(): Promise<Map<string, string>> {
  const lines = (await readFile(procfile, 'utf8')).split('\n');
  const entries = lines.flatMap((line) => {
    const [, kind, command] = /^([\w-]+):\s*(\S.*)$/.exec(line) ?? [];
    return kind && command ? [[kind, command] as const] : [];
  });
  return new Map(entries);
}

/**
 * The processes that FORMATION asks for. The gateways share PORT. Every process has a health port of
 * its own, counted up from OPS_PORT, the gateways' first.
 */
export async function planProcesses(config: Config): Promise<Process[]> {
  const commands = await readProcfile();
  const processes: Process[] = [];
  for (const kind of processKinds) {
    const command = commands.get(kind);
    if (command === undefined) throw new OperatorError(`The Procfile has no line for ${kind}.`);
    for (let number = 1; number <= config.formation[kind]; number += 1) {
      const opsPort = config.opsPort + processes.length;
      processes.push({ name: `${kind}.${number}`, kind, command, opsPort });
    }
  }
  return processes;
}
