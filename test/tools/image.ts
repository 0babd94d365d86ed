// `node --import tsx test/run.ts test/tools/image.ts`: does in a folder what the Dockerfile does in an
// image, with this machine's Node, and prints what takes room there. The service runs from it.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../bench/processes/free-port.ts';
import { createTestDatabase } from '../support/database.ts';

/** The largest image that is light, without the system and Node, in MB. */
const LIGHT = 200;
const SHOWN = 12;

/** The instructions of a Dockerfile, each with its lines joined. */
async function instructions(): Promise<[string, string][]> {
  const text = (await readFile('Dockerfile', 'utf8')).replaceAll('\\\n', ' ');
  return text
    .split('\n')
    .filter((line) => /^[A-Z]/.test(line))
    .map((line) => [line.split(' ', 1)[0] ?? '', line.slice(line.indexOf(' ') + 1)]);
}

async function make(folder: string): Promise<void> {
  for (const [name, rest] of await instructions()) {
    if (name === 'COPY') {
      const paths = rest.split(' ');
      const target = paths.pop() ?? '';
      for (const path of paths) {
        const to = target === './' ? path : target;
        await cp(path, join(folder, to), { recursive: true });
      }
    }
    const commands = rest.replace('&& npm cache clean --force', '');
    if (name === 'RUN') execFileSync('sh', ['-c', commands], { cwd: folder, stdio: 'ignore' });
  }
}

/** The heaviest folders, in MB, the whole first. */
function sizes(folder: string): [number, string][] {
  const lines = execFileSync('du', ['-m', '--max-depth=3', folder], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line): [number, string] => {
      const [mb = '', path = ''] = line.split('\t');
      return [Number(mb), path.slice(folder.length + 1) || 'all of it'];
    });
  return lines.sort(([a], [b]) => b - a);
}

const folder = await mkdtemp(join(tmpdir(), 'lavagna-image-'));
const database = await createTestDatabase();
try {
  await make(folder);
  const all = sizes(folder);
  for (const [mb, path] of all.slice(0, SHOWN))
    console.log(`${String(mb).padStart(5)} MB  ${path}`);
  assert.ok((all[0]?.[0] ?? Number.POSITIVE_INFINITY) <= LIGHT, `more than ${LIGHT} MB`);
  const ports = { PORT: String(await freePort()), OPS_PORT: String(await freePort()) };
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, DATABASE_URL: database.url };
  const run = (...args: string[]) =>
    spawnSync(process.execPath, ['--import', 'tsx', 'db/operator/cli/main.ts', ...args], {
      cwd: folder,
      env: { ...env, ...ports },
      encoding: 'utf8',
    });
  for (const args of [['migrate'], ['demo'], ['doctor']]) {
    const { status, stderr } = run(...args);
    assert.equal(status, 0, `${args}: ${stderr}`);
  }
} finally {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
}
