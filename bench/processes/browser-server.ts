import { execFile } from 'node:child_process';
import { mkdir, statfs, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type BrowserServer, chromium } from 'playwright-core';

const require = createRequire(import.meta.url);

/** Where a machine has so much shared memory, the browser shares pictures of pages there. */
const MIN_SHARED_BYTES = 2 ** 30;
/** Shares them in files. */
const IN_FILES = '--disable-dev-shm-usage';

/**
 * The switches that the packaged browser needs where it has no sandbox, no graphics card and little
 * shared memory. Its own list would turn off some of the protection that our tests look at.
 */
const switches = [
  '--no-sandbox',
  '--disable-gpu',
  IN_FILES,
  '--host-resolver-rules=MAP *.localhost 127.0.0.1',
];
const startBoundMs = 120_000;

/** Unpacks the browser with its libraries and fonts; returns its program. */
async function unpack(folder: string): Promise<string> {
  const code = `import packaged from '@sparticuz/chromium'; await packaged.executablePath();`;
  // The package reads its settings from the environment: it unpacks into TMPDIR, and its libraries
  // only where this variable names a runtime that lacks them.
  const env = { ...process.env, TMPDIR: folder, AWS_LAMBDA_JS_RUNTIME: 'nodejs20.x' };
  const args = ['--input-type=module', '--eval', code];
  await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname, env });
  return join(folder, 'chromium');
}

/** Where the libraries of the unpacked browser are, and the list of its fonts. */
export const librariesOf = (folder: string) => join(folder, 'al2023/lib');
export const fontListOf = (folder: string) => join(folder, 'fonts.conf');

/**
 * Fonts for scripts that the browser's own package lacks: Arabic, Japanese, Korean, Simplified Chinese,
 * Devanagari, Thai, Armenian and Georgian.
 */
const FONT_PACKAGES = [
  ...['noto-sans-arabic', 'biz-udpgothic', 'nanum-gothic', 'zcool-xiaowei'],
  ...['noto-sans-devanagari', 'noto-sans-thai', 'noto-sans-armenian', 'noto-sans-georgian'],
];

/** Describes the unpacked fonts to the browser, which then needs none of the machine's. */
async function writeFontList(folder: string): Promise<string> {
  const path = fontListOf(folder);
  const packages = FONT_PACKAGES.map((name) =>
    dirname(require.resolve(`@expo-google-fonts/${name}/package.json`)),
  );
  const dirs = [join(folder, 'fonts'), ...packages].map((one) => `<dir>${one}</dir>`);
  const places = `${dirs.join('')}<cachedir>${folder}/fonts-cache</cachedir>`;
  await writeFile(path, `<?xml version="1.0"?><fontconfig>${places}</fontconfig>`);
  return path;
}

/** The program of a browser, with the switches and the environment that it needs. */
export interface BrowserProgram {
  executablePath: string;
  args: string[];
  env: Record<string, string | undefined>;
}

/**
 * Makes a Chromium of its package ready: a machine needs no libraries or fonts for it.
 *
 * @param folder is created for its files; the caller removes it
 */
export async function unpackBrowser(folder: string): Promise<BrowserProgram> {
  await mkdir(folder);
  const executablePath = await unpack(folder);
  const env = {
    ...process.env,
    HOME: folder,
    FONTCONFIG_FILE: await writeFontList(folder),
    LD_LIBRARY_PATH: librariesOf(folder),
  };
  return { executablePath, args: switches, env };
}

async function hasSharedMemory(): Promise<boolean> {
  const { bavail, bsize } = await statfs('/dev/shm').catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize > MIN_SHARED_BYTES;
}

/**
 * Starts the Chromium that `unpackBrowser` makes ready in the folder.
 *
 * @param more switches
 */
export async function startBrowserServer(
  folder: string,
  more: readonly string[] = [],
): Promise<BrowserServer> {
  const program = await unpackBrowser(folder);
  const unwanted = (await hasSharedMemory()) ? [IN_FILES] : [];
  return chromium.launchServer({
    ...program,
    args: [...program.args.filter((one) => !unwanted.includes(one)), ...more],
    host: '127.0.0.1',
    timeout: startBoundMs,
    // The caller ends the browser, also after a signal.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    // People go back to pages that their browser has kept, so ours does, too.
    ignoreDefaultArgs: ['--disable-back-forward-cache', ...unwanted],
  });
}
