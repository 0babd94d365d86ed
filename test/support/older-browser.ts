import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { brotliDecompressSync } from 'node:zlib';
import { until } from './until.ts';

/** The packages of browsers that televisions have, and the files that hold them. */
const OLDER_BROWSERS = {
  77: 'chromium-77/bin/chromium-77.0.3844.0.br',
  83: 'chromium-83/bin/chromium.br',
} as const;
export type OlderVersion = keyof typeof OLDER_BROWSERS;

const modules = join(import.meta.dirname, '../../node_modules');
const switches = [
  ...['--headless', '--no-sandbox', '--no-zygote', '--disable-gpu', '--disable-dev-shm-usage'],
  ...['--hide-scrollbars', '--host-resolver-rules=MAP *.localhost 127.0.0.1'],
  '--remote-debugging-pipe',
];

/** In ms. */
const ANSWER_BOUND = 110_000;

type Values = Record<string, unknown>;
interface Message {
  id?: number;
  method?: string;
  params?: Values;
  result?: Values;
  error?: { message: string };
}

interface Size {
  width: number;
  height: number;
}

/** A page in a browser that is too old for playwright. */
export interface OlderPage {
  /** The errors that the page's scripts threw, and those that they logged. */
  errors: string[];
  open(url: string): Promise<void>;
  resize(size: Size): Promise<void>;
  /** The value of an expression in the page. */
  evaluate<T>(expression: string): Promise<T>;
  /** @returns the picture as PNG */
  screenshot(): Promise<Buffer>;
  close(): Promise<void>;
}

/** Messages of the browser's protocol, which end with a zero byte. */
function connect(child: ChildProcess, onEvent: (message: Message) => void) {
  const [, , , input, output] = child.stdio as unknown as [null, null, null, Writable, Readable];
  const waiting = new Map<number, (message: Message) => void>();
  let text = '';
  output.setEncoding('utf8').on('data', (piece: string) => {
    const messages = (text + piece).split('\0');
    text = messages.pop() ?? '';
    for (const one of messages) {
      const message = JSON.parse(one) as Message;
      if (message.id === undefined) onEvent(message);
      else waiting.get(message.id)?.(message);
    }
  });
  child.once('exit', (code, signal) => {
    const error = { message: `the browser has ended: ${code ?? signal}` };
    for (const answer of waiting.values()) answer({ error });
  });
  let last = 0;
  return async (method: string, params: Values = {}, sessionId?: string): Promise<Values> => {
    last += 1;
    const id = last;
    const answer = new Promise<Message>((resolve) => waiting.set(id, resolve));
    input.write(`${JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) })}\0`);
    const late = setTimeout(
      () => waiting.get(id)?.({ error: { message: 'no answer' } }),
      ANSWER_BOUND,
    );
    const { error, result = {} } = await answer;
    clearTimeout(late);
    waiting.delete(id);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  };
}

const describe = ({ method, params = {} }: Message): string[] => {
  if (method === 'Runtime.exceptionThrown') return [JSON.stringify(params.exceptionDetails)];
  const isError = method === 'Runtime.consoleAPICalled' && params.type !== 'log';
  return isError ? [JSON.stringify(params.args)] : [];
};

/** Unpacks the program of a browser into a folder, once for all files of the run. */
async function unpack(version: OlderVersion, folder: string): Promise<string> {
  const program = join(folder, `chromium-${version}`);
  if (existsSync(program)) return program;
  // Another process may do the same now: the program has its name when it is whole.
  const own = `${program}.${process.pid}`;
  const packed = await readFile(join(modules, OLDER_BROWSERS[version]));
  await writeFile(own, brotliDecompressSync(packed), { mode: 0o755 });
  await rename(own, program);
  return program;
}

/** Starts a browser; it finds libraries and fonts where the browser of the run has them. */
async function start(version: OlderVersion, folder: string): Promise<ChildProcess> {
  const { TEST_BROWSER_FONTS: fonts, TEST_BROWSER_LIBRARIES: libraries } = process.env;
  if (!fonts) throw new Error('run this file with: node --import tsx test/run.ts <file>');
  const program = await unpack(version, dirname(fonts));
  return spawn(program, [...switches, `--user-data-dir=${join(folder, 'profile')}`], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    env: { ...process.env, HOME: folder, FONTCONFIG_FILE: fonts, LD_LIBRARY_PATH: libraries },
  });
}

/** Opens one page in an old browser. */
export async function openOlderBrowser(version: OlderVersion, size: Size): Promise<OlderPage> {
  const folder = await mkdtemp(join(tmpdir(), 'lavagna-older-'));
  const child = await start(version, folder);
  const errors: string[] = [];
  let onLoad = () => {};
  const send = connect(child, (message) => {
    errors.push(...describe(message));
    if (message.method === 'Page.loadEventFired') onLoad();
  });
  const { targetId } = await send('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
  const ask = (method: string, params?: Values) => send(method, params, String(sessionId));
  for (const domain of ['Page', 'Runtime']) await ask(`${domain}.enable`);
  const resize = async ({ width, height }: Size) => {
    const metrics = { width, height, deviceScaleFactor: 1, mobile: false };
    await ask('Emulation.setDeviceMetricsOverride', metrics);
  };
  await resize(size);
  return {
    errors,
    resize,
    open: async (url) => {
      let isLoaded = false;
      onLoad = () => {
        isLoaded = true;
      };
      await ask('Page.navigate', { url });
      await until(`${url} does not load`, async () => isLoaded);
    },
    evaluate: async <T>(expression: string) => {
      const asked = { expression, awaitPromise: true, returnByValue: true };
      const { result, exceptionDetails } = await ask('Runtime.evaluate', asked);
      if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails));
      return (result as { value: T }).value;
    },
    screenshot: async () => {
      const { data } = await ask('Page.captureScreenshot', { format: 'png' });
      return Buffer.from(String(data), 'base64');
    },
    close: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      // The browser's own children write into it until they find out that it has ended.
      await rm(folder, { recursive: true, force: true, maxRetries: 20 });
    },
  };
}
