import { spawnSync } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { OperatorError } from '../../runtime/operator-error.ts';
import { type Binaries, catalogFile } from './binaries.ts';
import { ignoreMissing } from './lock.ts';

/** The account that the server runs as; undefined is the one that we run as. */
export type Account = { name: string; uid: number; gid: number } | undefined;

/** A command line with the spawn options that make it run as the server's account. */
type ServerCommand = {
  file: string;
  args: string[];
  options: { cwd: string; env: NodeJS.ProcessEnv; uid?: number; gid?: number };
};

/** Turns a program and its arguments into a command of the server's account. */
export type AsAccount = (file: string, args: string[]) => ServerCommand;

/**
 * The account that runs Postgres, because Postgres refuses to run as root; undefined when we are not
 * root. The owner of the data directory runs it. Where root owns the directory, or it is new, the
 * account `postgres` does; a system without that account uses `nobody`.
 */
export async function chooseAccount(dataDirectory: string): Promise<Account> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(dataDirectory).catch(ignoreMissing);
  if (owner !== undefined && owner.uid !== 0) {
    return { name: `uid ${owner.uid}`, uid: owner.uid, gid: owner.gid };
  }
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = [accountNumber('-u', name), accountNumber('-g', name)];
    if (uid !== undefined && gid !== undefined) return { name, uid, gid };
  }
  throw new OperatorError(
    'Postgres refuses to run as root and there is no account postgres or nobody to run it as; ' +
      'start Lavagna as an ordinary user or set DATABASE_URL.',
  );
}

function accountNumber(option: '-u' | '-g', name: string): number | undefined {
  const { status, stdout } = spawnSync('id', [option, name], { encoding: 'utf8' });
  return status === 0 ? Number(stdout) : undefined;
}

/**
 * Decides how commands are run as `account`. Only root may enter some folders. When the checkout or
 * the data lies in one of them, the command keeps the capability CAP_DAC_OVERRIDE, which ignores
 * permissions of folders. No folder gets another mode. Postgres checks its user
 * id only, and asks `access(2)`, which honours capabilities only under `no_setuid_fixup`.
 */
export function commandsOf(account: Account, binaries: Binaries, directory: string): AsAccount {
  const options = { cwd: '/', env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' } };
  if (account === undefined) return (file, args) => ({ file, args, options });
  const { uid, gid } = account;
  const plain: AsAccount = (file, args) => ({ file, args, options: { ...options, uid, gid } });
  if (canReach(plain, binaries, directory)) return plain;

  const keepingAccess: AsAccount = (file, args) => ({
    file: 'setpriv',
    args: [
      ...[`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'],
      ...['--inh-caps=+dac_override', '--ambient-caps=+dac_override'],
      ...['--securebits=+no_setuid_fixup', '--', file, ...args],
    ],
    options,
  });
  if (canReach(keepingAccess, binaries, directory)) return keepingAccess;
  throw new OperatorError(
    `Postgres refuses to run as root, and as ${account.name} it cannot reach ${directory} or ` +
      `${binaries.postgres}; move them to folders that everyone may enter, start Lavagna as an ` +
      'ordinary user, or set DATABASE_URL.',
  );
}

/** Tries it out as that account, since modes alone say nothing about access lists or sandboxes. */
function canReach(asAccount: AsAccount, binaries: Binaries, directory: string): boolean {
  const tests = ['-x', binaries.postgres, '-a', '-r', catalogFile(binaries), '-a', '-x', directory];
  const { file, args, options } = asAccount('test', tests);
  return spawnSync(file, args, options).status === 0;
}
