import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { nodeCommand, repository } from './child.ts';

/**
 * Runs one of the operators' commands and returns the document that it prints.
 *
 * @param env says which database is meant
 */
export async function runCli<T>(env: Record<string, string>, ...args: string[]): Promise<T> {
  return callCli(env, args, '');
}

async function callCli<T>(env: Record<string, string>, args: string[], input: string): Promise<T> {
  const [file = '', ...rest] = nodeCommand('db/operator/cli/main.ts', ...args);
  const call = promisify(execFile)(file, rest, {
    cwd: repository,
    env: { ...process.env, ...env },
    maxBuffer: 1024 ** 3,
  });
  call.child.stdin?.end(input);
  return JSON.parse((await call).stdout) as T;
}

/** Makes a user of a restaurant's panel. */
export async function createUser(
  env: Record<string, string>,
  slug: string,
  { email, password }: { email: string; password: string },
): Promise<void> {
  await callCli(env, ['user', 'create', '--tenant', slug, '--email', email], password);
}

/** Makes a user of a restaurant, if need be, and a token that grants `scopes`, with commas. */
export async function issueToken(
  env: Record<string, string>,
  slug: string,
  scopes: string,
): Promise<string> {
  const owner = ['--tenant', slug];
  const email = 'bench@example.com';
  const account = { email, password: 'only for measuring' };
  // A second run on kept data finds the user there.
  await createUser(env, slug, account).catch(() => undefined);
  const grant = ['--user', email, '--name', 'bench', '--scopes', scopes];
  return (await runCli<{ token: string }>(env, 'token', 'create', ...owner, ...grant)).token;
}

/** The headers of someone who may change a restaurant's menu. */
export async function adminHeaders(
  env: Record<string, string>,
  slug: string,
): Promise<Record<string, string>> {
  return { Authorization: `Bearer ${await issueToken(env, slug, 'menu:read,menu:write')}` };
}
