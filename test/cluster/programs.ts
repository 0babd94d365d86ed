import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where Debian puts the server's programs. */
export const POSTGRES_BIN = '/usr/lib/postgresql/15/bin';

/** Programs, and the packages of Debian that hold them. */
const PROGRAMS: Record<string, string> = {
  ip: 'iproute2',
  setpriv: 'util-linux',
  etcd: 'etcd-server',
  patroni: 'patroni',
  patronictl: 'patroni',
  haproxy: 'haproxy',
  pgbouncer: 'pgbouncer',
};

function isInstalled(program: string): boolean {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return [...folders, '/usr/sbin'].some((folder) => existsSync(join(folder, program)));
}

/** The programs that this machine lacks, in a sentence; undefined when it has everything. */
export function findMissing(): string | undefined {
  if (process.getuid?.() !== 0) return 'The cluster needs root, for networks of its own.';
  const missing = Object.entries(PROGRAMS).flatMap(([program, name]) =>
    isInstalled(program) ? [] : name,
  );
  if (!existsSync(join(POSTGRES_BIN, 'postgres'))) missing.push('postgresql-15');
  if (missing.length === 0) return undefined;
  return `These packages of Debian are missing: ${[...new Set(missing)].join(', ')}.`;
}
