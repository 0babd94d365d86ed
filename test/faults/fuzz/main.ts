// `node --import tsx test/faults/fuzz/main.ts [count] [seed]` sends valid, nearly valid and wild requests
// to a Lavagna of its own. No answer may be a 5xx, late, too long or without its envelope.

import { createUser, issueToken } from '../../../bench/processes/cli.ts';
import { type Lavagna, startLavagna } from '../../../bench/processes/lavagna.ts';
import { withFolder } from '../../../bench/processes/temporary-folder.ts';
import { residentMb } from '../../../bench/processes/usage.ts';
import { judgeAnswer } from './judge.ts';
import { runFuzz } from './run.ts';
import { signIn, type World } from './world.ts';

const amounts = process.argv.slice(2).map(Number);
if (!amounts.every(Number.isSafeInteger)) throw new TypeError('count and seed are whole numbers');
const [count = 200_000, seed = Date.now() % 1_000_000] = amounts;
const WARM_UP = 5_000;
/** How much larger the gateway may be in the end than after its warm-up, in MB. */
const GROWTH_BOUND = 150;
const login = { email: 'fuzz@example.com', password: 'only for fuzzing' };

async function prepareWorld(dataDir: string, lavagna: Lavagna): Promise<World> {
  const env = { DATA_DIR: dataDir };
  for (const slug of ['trattoria', 'pizzeria']) {
    await createUser(env, slug, login);
  }
  return {
    port: lavagna.gateway.port,
    host: 'trattoria.localhost',
    otherHost: 'pizzeria.localhost',
    token: await issueToken(env, 'trattoria', 'menu:read,menu:write,analytics:read'),
    readToken: await issueToken(env, 'trattoria', 'menu:read'),
    otherToken: await issueToken(env, 'pizzeria', 'menu:read,menu:write,analytics:read'),
    ...login,
  };
}

async function fuzz(dataDir: string): Promise<boolean> {
  const lavagna = await startLavagna(dataDir);
  const resident = () => residentMb(lavagna.gateway.pid);
  try {
    const world = await prepareWorld(dataDir, lavagna);
    const session = await signIn(world);
    const judge = judgeAnswer.bind(null, [world.host, world.otherHost]);
    const run = (requests: number, from: number) =>
      runFuzz({ world, session, count: requests, seed: from, judge });
    await run(Math.min(WARM_UP, count), seed + 1);
    const before = resident();
    const began = performance.now();
    const found = await run(count, seed);
    const seconds = (performance.now() - began) / 1_000;
    const after = resident();
    const statuses = [...found.statuses].sort(([a], [b]) => String(a).localeCompare(String(b)));
    console.log(`${found.requests} requests in ${seconds.toFixed(0)} s, seed ${seed}`);
    console.log(statuses.map(([status, times]) => `${status}: ${times}`).join(', '));
    console.log(`longest ${found.longest.toFixed(0)} ms, largest ${found.largest} bytes`);
    console.log(`gateway: ${before} MB before, ${after} MB after`);
    for (const complaint of found.complaints) console.log(`\n${complaint}`);
    return found.complaints.length === 0 && after - before < GROWTH_BOUND;
  } finally {
    await lavagna.stop();
  }
}

if (!(await withFolder('fuzz', fuzz))) process.exitCode = 1;
