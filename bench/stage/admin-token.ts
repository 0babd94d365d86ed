import { runCli } from './lavagna.ts';

const USER = ['--email', 'bench@example.com', '--password', 'only-for-measuring'];

/** The headers of someone who may change a restaurant's menu. */
export async function adminHeaders(dataDir: string, slug: string): Promise<Record<string, string>> {
  // A second run on kept data finds the user there.
  await runCli(dataDir, 'user', 'create', '--tenant', slug, ...USER).catch(() => undefined);
  const { token } = await runCli<{ token: string }>(
    ...[dataDir, 'token', 'create', '--tenant', slug, '--user', USER[1] ?? ''],
    ...['--name', 'bench', '--scopes', 'menu:write'],
  );
  return { Authorization: `Bearer ${token}` };
}
