// `node --import tsx bench/fuzz.ts [count] [seed]`: requests that are valid, nearly valid and wild,
// to a Lavagna of its own; no answer may be a fault, late, endless or out of shape.
import { judgeAnswer } from './fuzz/judge.ts';
import { runFuzz } from './fuzz/run.ts';
import { signIn, type World } from './fuzz/world.ts';
import { residentMb } from './measure/process-accounts.ts';
import { readAmounts } from './run-named.ts';
import { issueToken, runCli } from './stage/cli.ts';
import { withFolder } from './stage/folder.ts';
import { type Lavagna, startLavagna } from './stage/lavagna.ts';

const [count = 200_000, seed = Date.now() % 1_000_000] = readAmounts(process.argv.slice(2));
const WARM_UP = 5_000;
/** How much larger the gateway may be in the end than after its warm-up, in MB. */
const GROWTH_BOUND = 150;
const login = { email: 'fuzz@example.com', password: 'only for fuzzing' };

async function prepareWorld(dataDir: string, lavagna: Lavagna): Promise<World> {
  const env = { DATA_DIR: dataDir };
  for (const slug of ['trattoria', 'pizzeria']) {
    const account = ['--email', login.email, '--password', login.password];
    await runCli(env, 'user', 'create', '--tenant', slug, ...account);
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
