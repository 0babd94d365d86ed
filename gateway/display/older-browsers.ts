import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

// The page's files for the oldest browsers that run them: Chromium 63 and Safari 12. Syntax and rules
// of style that are younger are put in older words. Functions that these browsers lack, the files do
// without: `test/unit/older-browsers.test.ts` names it.

const require = createRequire(import.meta.url);
const CHROME = 63;
const SAFARI = 12;

const { dependencies } = require('../../package.json');
/** Changes whenever files may be built otherwise than before. */
export const builder = [dependencies.esbuild, dependencies.lightningcss, CHROME, SAFARI].join('/');

/**
 * Builds scripts; their imports stay as they are. The compilers take memory and a tenth of a second, so
 * that they are loaded when a file is first asked for.
 *
 * @returns their texts by the files' names
 */
export function buildScripts(files: readonly URL[]): ReadonlyMap<string, Buffer> {
  const { buildSync } = require('esbuild') as typeof import('esbuild');
  const { outputFiles } = buildSync({
    entryPoints: files.map((file) => fileURLToPath(file)),
    bundle: false,
    write: false,
    format: 'esm',
    charset: 'utf8',
    outdir: '/',
    entryNames: '[name]',
    target: [`chrome${CHROME}`, `safari${SAFARI}`],
    // Safari 12 has it but for a rare case, which made the compiler's list say that it has not.
    supported: { destructuring: true },
    logLevel: 'silent',
  });
  return new Map(
    outputFiles.map(({ path, contents }) => [basename(path), Buffer.from(contents)] as const),
  );
}

/** Distances at the beginning and end of lines as Chromium before 69 names them. */
const FORMER_NAMES = /^(\s*)(margin|padding)-inline-(start|end): .*$/gm;

/**
 * Builds a stylesheet. Distances of lines keep their names: the compiler would put them in words that
 * outweigh other rules, and ask for the language.
 */
export function buildSheet(name: string, text: string): Buffer {
  const { Features, transform } = require('lightningcss') as typeof import('lightningcss');
  const named = text.replace(FORMER_NAMES, (line) =>
    line.replace(/(margin|padding)-inline-(start|end)/, '-webkit-$1-$2').concat('\n', line),
  );
  const { code } = transform({
    filename: name,
    code: Buffer.from(named),
    exclude: Features.LogicalProperties,
    targets: { chrome: CHROME << 16, safari: SAFARI << 16 },
  });
  return Buffer.from(code);
}
