import { spawn, spawnSync } from 'node:child_process';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../bench/processes/free-port.ts';

export const ROOT = resolve(import.meta.dirname, '../..');
const PROGRAMS = join(ROOT, 'test/tools/languages');
/** Lets Node find the names below localhost. */
export const LOCALHOST_NAMES = join(ROOT, 'test/api/openapi/client/localhost-names.js');
/** Each program says these, in this order. */
const STEPS = ['read', 'write', '422', 'stream', 'webhook', '429'];
/** The longest time of a program; it waits a minute for its limit. */
const BOUND_MS = 180_000;

/** A language: the command that runs the round, and one that fails where something is not installed. */
interface Language {
  name: string;
  slug: string;
  command: readonly string[];
  version: readonly string[];
}

const REQUESTS = 'import platform, requests as r; print(platform.python_version(), r.__version__)';
export const LANGUAGES: readonly Language[] = [
  {
    ...{ name: 'Python with requests', slug: 'python', version: ['python3', '-c', REQUESTS] },
    command: ['python3', 'round.py'],
  },
  {
    ...{
      name: 'PHP with curl',
      slug: 'php',
      version: ['php', '-r', 'curl_version(); echo PHP_VERSION;'],
    },
    command: ['php', 'round.php'],
  },
  {
    ...{ name: 'Java', slug: 'java', version: ['java', '--version'] },
    command: [
      ...['java', '-Dfile.encoding=UTF-8', '-Djdk.httpclient.allowRestrictedHeaders=host'],
      'Round.java',
    ],
  },
  {
    ...{ name: 'Ruby', slug: 'ruby', version: ['ruby', '-e', 'puts RUBY_VERSION'] },
    command: ['ruby', 'round.rb'],
  },
  {
    ...{ name: 'Node', slug: 'node', version: ['node', '--version'] },
    command: ['node', '--import', LOCALHOST_NAMES, 'round.js'],
  },
];

/** The version of a language; null where it is not installed. */
function versionOf({ version: [program = '', ...args] }: Language): string | null {
  const { status, stdout } = spawnSync(program, args, { encoding: 'utf8' });
  return status === 0 ? (stdout.split('\n')[0] ?? '') : null;
}

/** The receiver that `gateway/WEBHOOKS.md` shows, with what it leaves to its reader. */
async function writeReceiver(path: string, port: number): Promise<void> {
  const text = await readFile(join(ROOT, 'gateway/WEBHOOKS.md'), 'utf8');
  const [, shown = ''] = /```js\n(.*?)```/s.exec(text) ?? [];
  if (!shown.includes('.listen(3000)')) throw new Error('the document shows no receiver');
  const own = 'const takenIds = new Set();\nexport const arrived = [];\n';
  const handle = 'const handle = async (message) => arrived.push(message);\n';
  await writeFile(path, shown.replace('3000', String(port)) + own + handle);
}

/** Runs the round of a language; the steps that it has done, and what it wrote about a failure. */
async function run([program = '', ...args]: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(program, args, { cwd: PROGRAMS, env: { ...process.env, ...env } });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (piece) => {
    stdout += piece;
  });
  child.stderr.on('data', (piece) => {
    stderr += piece;
  });
  const over = new AbortController();
  const ended = new Promise<void>((done) => child.once('close', () => done()));
  await Promise.race([ended, sleep(BOUND_MS, null, { signal: over.signal }).catch(() => {})]);
  over.abort();
  child.kill('SIGKILL');
  await ended;
  return { steps: stdout.trim().split('\n'), text: stderr };
}

/**
 * Lets a program of each language do the round of an integrator. They run beside each other, at
 * restaurants of their own.
 *
 * @param folder holds what they write
 * @param place the port of the gateway, and for each restaurant its host and a token
 */
export async function judgeByLanguages(
  folder: string,
  place: { port: number; host(slug: string): string; token(slug: string): string },
): Promise<boolean> {
  const receiver = join(folder, 'receiver.js');
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{"type": "module"}');
  const results = LANGUAGES.map(async (language) => {
    const { name, slug, command } = language;
    const version = versionOf(language);
    if (version === null) {
      console.log(`${name}: not installed`);
      return true;
    }
    const port = await freePort();
    if (slug === 'node') await writeReceiver(receiver, port);
    const { steps, text } = await run(command, {
      API: `http://127.0.0.1:${place.port}/api/v1`,
      ...{ API_HOST: place.host(slug), TOKEN: place.token(slug) },
      ...{ RECEIVER: receiver, RECEIVER_PORT: String(port), ARRIVED: join(folder, `${slug}.json`) },
    });
    const isFine = STEPS.every((step, at) => steps[at] === step);
    console.log(
      `${name} ${version}: ${steps.join(', ')}${isFine ? '' : `, and then:\n${text.slice(0, 2_000)}`}`,
    );
    return isFine;
  });
  return (await Promise.all(results)).every(Boolean);
}
