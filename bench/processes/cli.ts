import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { repository, scriptCommand } from './child.ts';

interface CliCall {
  /** Names the database. */
  env: Record<string, string>;
  args: string[];
  /** Written to stdin. */
  input?: string;
  /** The checkout whose CLI is called. */
  folder?: string;
}

/** Runs a command of the CLI and returns the document that it prints. */
export async function callCli<T>({
  env,
  args,
  input = '',
  folder = repository,
}: CliCall): Promise<T> {
  const [file = '', ...rest] = scriptCommand(folder, 'cli', ...args);
  const call = promisify(execFile)(file, rest, {
    cwd: folder,
    env: { ...process.env, ...env },
    maxBuffer: 1024 ** 3,
  });
  call.child.stdin?.end(input);
  return JSON.parse((await call).stdout) as T;
}

/**
 * Runs a command of the CLI and returns the document that it prints.
 *
 * @param env names the database
 */
export function runCli<T>(env: Record<string, string>, ...args: string[]): Promise<T> {
  return callCli({ env, args });
}

/** Creates a user of a restaurant's panel. */
export async function createUser(
  env: Record<string, string>,
  slug: string,
  { email, password }: { email: string; password: string },
  folder = repository,
): Promise<void> {
  const args = ['user', 'create', '--tenant', slug, '--email', email];
  await callCli({ env, args, input: password, folder });
}

/** Creates a token, and its user when there is none. `scopes` have commas between them. */
export async function issueToken(
  env: Record<string, string>,
  slug: string,
  scopes: string,
  folder = repository,
): Promise<string> {
  const email = 'bench@example.com';
  // A second run on kept data finds the user there.
  await createUser(env, slug, { email, password: 'only for measuring' }, folder).catch(
    () => undefined,
  );
  const grant = ['--user', email, '--name', 'bench', '--scopes', scopes];
  const args = ['token', 'create', '--tenant', slug, ...grant];
  return (await callCli<{ token: string }>({ env, args, folder })).token;
}

/** Headers with a token that allows changes of a restaurant's menu. */
export async function adminHeaders(
  env: Record<string, string>,
  slug: string,
  folder = repository,
): Promise<Record<string, string>> {
  const token = await issueToken(env, slug, 'menu:read,menu:write', folder);
  return { Authorization: `Bearer ${token}` };
}
