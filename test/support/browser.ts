import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import packaged from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

/**
 * The switches that the packaged browser needs where it has no sandbox, no graphics card and little
 * shared memory. Its own list would turn off some of the protection that our tests look at.
 */
const switches = [
  '--no-sandbox',
  '--no-zygote',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--host-resolver-rules=MAP *.localhost 127.0.0.1',
];

export type TestBrowser = {
  browser: Browser;
  /** Closes it and removes what it was unpacked to. */
  close: () => Promise<void>;
};

/** Unpacks the browser into `folder`: two at once in the usual place would disturb each other. */
async function unpack(folder: string): Promise<string> {
  const usual = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  try {
    return await packaged.executablePath();
  } finally {
    if (usual === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = usual;
  }
}

// The browser ends with us, but not when a signal ends us.
process.once('SIGTERM', () => process.exit(1));

/** Starts Chromium: the one that CHROMIUM_PATH names, else the one that its package brings. */
export async function startBrowser(): Promise<TestBrowser> {
  const folder = await mkdtemp(join(tmpdir(), 'lavagna-browser-'));
  try {
    const executablePath = process.env.CHROMIUM_PATH ?? (await unpack(folder));
    const browser = await chromium.launch({
      executablePath,
      args: switches,
      // It would close the browser and leave us waiting for what is to happen in it.
      handleSIGTERM: false,
      // People go back to pages that their browser has kept, so ours does, too.
      ignoreDefaultArgs: ['--disable-back-forward-cache'],
    });
    return {
      browser,
      close: async () => {
        await browser.close();
        await rm(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}
