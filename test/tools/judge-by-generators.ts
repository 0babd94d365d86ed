import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The last compiler with the interface that generators use. */
const COMPILER = 'typescript@5.9.3';

/** A generator of clients: its package, what its client imports, and its command. */
interface Generator {
  tool: string;
  imports?: readonly string[];
  command: (out: string) => readonly string[];
}

const GENERATORS: readonly Generator[] = [
  {
    tool: 'openapi-typescript@7.13.0',
    command: (out) => ['openapi-typescript', 'openapi.json', '--output', `${out}/api.ts`],
  },
  {
    tool: '@hey-api/openapi-ts@0.99.0',
    command: (out) => ['openapi-ts', '-i', 'openapi.json', '-o', out],
  },
  {
    tool: 'orval@8.38.0',
    imports: ['axios@1.13.2'],
    command: (out) => [
      ...['orval', '--input', 'openapi.json', '--output', `${out}/api.ts`],
      ...['--client', 'axios'],
    ],
  },
  {
    tool: 'openapi-typescript-codegen@0.31.0',
    command: (out) => ['openapi', '--input', 'openapi.json', '--output', out],
  },
  {
    tool: 'swagger-typescript-api@13.13.0',
    command: (out) => [
      ...['swagger-typescript-api', 'generate', '-p', 'openapi.json', '-o', out, '-n', 'api.ts'],
    ],
  },
];

const STRICT = {
  compilerOptions: {
    ...{ strict: true, noEmit: true, target: 'es2022', module: 'esnext', types: [] },
    ...{ moduleResolution: 'bundler', lib: ['es2022', 'dom', 'dom.iterable'] },
  },
};

/** Runs a command with packages that npm fetches. */
function runWith(folder: string, packages: readonly string[], command: readonly string[]) {
  const named = packages.flatMap((one) => ['--package', one]);
  const options = { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 2 ** 20 } as const;
  const { status, stdout, stderr } = spawnSync('npx', ['--yes', ...named, ...command], options);
  return { isFine: status === 0, text: stdout + stderr };
}

/**
 * Lets five public generators make clients of the document, and compiles these strictly.
 *
 * @param folder has `openapi.json`
 */
export async function judgeByGenerators(folder: string): Promise<boolean> {
  let isFine = true;
  for (const [at, { tool, imports = [], command }] of GENERATORS.entries()) {
    const out = `client-${at}`;
    const made = runWith(folder, [COMPILER, tool], command(out));
    await writeFile(
      join(folder, `${out}.json`),
      JSON.stringify({ ...STRICT, include: [`${out}/**/*.ts`] }),
    );
    if (imports.length > 0) spawnSync('npm', ['install', '--no-save', ...imports], { cwd: folder });
    const compiled = made.isFine && runWith(folder, [COMPILER], ['tsc', '-p', `${out}.json`]);
    const isDone = compiled !== false && compiled.isFine;
    const text = compiled === false ? made.text : compiled.text;
    console.log(`${tool}: ${isDone ? 'compiles strictly' : text}`);
    isFine &&= isDone;
  }
  return isFine;
}
