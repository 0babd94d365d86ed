import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../bench/processes/free-port.ts';
import { JUDGED_GATEWAY } from '../support/judged-traffic.ts';
import { killGroup } from '../support/kill-group.ts';

const PACKAGE = '@stoplight/prism-cli@5.14.2';
const PREFIX = '/api/v1';
/** Names a request on its way through Prism. */
const NUMBER = 'x-judged-number';
/** Bytes of a request's line and headers; the gateways refuse less. */
const MAX_HEAD = 2 ** 20;
const START_MS = 120_000;

/** An answer as the gateway gave it. */
interface Answer {
  status: number;
  headers: string[];
  body: Buffer;
}

/** A request as its client sent it, and its answer as soon as the gateway gave it. */
interface Asked {
  incoming: IncomingMessage;
  body: Buffer;
  answer?: Answer;
}

/** Prism as a validating proxy between clients and the gateways that they name. */
export interface Prism {
  /** Where clients connect, for `TEST_JUDGE`. */
  port: number;
  /** The sentences of Prism about answers, each once. */
  violations(): string[];
  /**
   * How many answers it judged, and how many requests it answered itself: unknown paths, HEAD,
   * broken JSON. Those are asked of the gateway alone.
   */
  counts(): { judged: number; passed: number };
  stop(): Promise<void>;
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Sends a request on, with the headers that it came with. */
async function sendOn(
  port: number,
  path: string,
  { incoming, body }: Asked,
  ...more: string[]
): Promise<Answer> {
  const { method, rawHeaders } = incoming;
  const headers = [...rawHeaders, ...more];
  const outgoing = request({ host: '127.0.0.1', port, path, method, headers, agent: false });
  outgoing.end(body);
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { status: answer.statusCode ?? 0, headers: answer.rawHeaders, body: await bodyOf(answer) };
}

/** The violations in the header of an answer that Prism passed on. */
function violationsOf(headers: string[]): string[] {
  const at = headers.findIndex((name) => name.toLowerCase() === 'sl-violations');
  if (at < 0) return [];
  const text = headers[at + 1] ?? '';
  // A header has room for a part of many.
  if (!text.startsWith('[')) return [text];
  const told: { location?: string[]; message?: string }[] = JSON.parse(text);
  return told
    .filter(({ location = [] }) => location[0] === 'response')
    .map(({ location = [], message }) => `${location.join('.')} ${message}`);
}

function reply(outgoing: ServerResponse, { status, headers, body }: Answer): void {
  outgoing.sendDate = false;
  outgoing.writeHead(status, headers);
  outgoing.end(body);
}

/** The program of Prism, which sends what it reads to `upstream`. */
async function startProgram(document: string, upstream: number) {
  const port = await freePort();
  const options = ['--port', String(port), '--validate-request', 'false', '--cors', 'false'];
  const child = spawn(
    'npx',
    ['--yes', PACKAGE, 'proxy', document, `http://127.0.0.1:${upstream}${PREFIX}`, ...options],
    { stdio: 'ignore', detached: true },
  );
  const bound = performance.now() + START_MS;
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
  while (!(await isUp())) {
    if (performance.now() > bound || child.exitCode !== null)
      throw new Error('Prism did not start');
    await sleep(200);
  }
  const stop = async () => {
    const gone = once(child, 'exit');
    if (child.exitCode === null && child.pid) {
      killGroup(child.pid);
      await gone;
    }
  };
  return { port, stop };
}

/**
 * Starts Prism, which npm fetches. A client gets the gateway's answer byte by byte: Prism would write
 * its JSON anew.
 *
 * @param document the path of the document of the API
 */
export async function startPrism(document: string): Promise<Prism> {
  const underway = new Map<string, Asked>();
  const violations = new Set<string>();
  const counts = { judged: 0, passed: 0 };
  let program = { port: 0, stop: async () => {} };
  let last = 0;

  const askGateway = async (asked: Asked) => {
    const { headers, url = '' } = asked.incoming;
    asked.answer ??= await sendOn(Number(headers[JUDGED_GATEWAY]), url, asked);
    return asked.answer;
  };
  const judge = async (asked: Asked): Promise<Answer> => {
    const { method, url = '' } = asked.incoming;
    last += 1;
    underway.set(String(last), asked);
    const number = String(last);
    const judged = await sendOn(program.port, url.slice(PREFIX.length), asked, NUMBER, number);
    underway.delete(number);
    const isJudged = judged.status === asked.answer?.status;
    counts[isJudged ? 'judged' : 'passed'] += 1;
    for (const violation of isJudged ? violationsOf(judged.headers) : []) {
      violations.add(`${judged.status} of ${method} ${url.replace(/\?.*/, '')}: ${violation}`);
    }
    return askGateway(asked);
  };
  const server = createServer({ maxHeaderSize: MAX_HEAD }, async (incoming, outgoing) => {
    try {
      const known = underway.get(String(incoming.headers[NUMBER]));
      // For a body of `null` Prism sends its length and no byte, so the end of it is never waited for.
      const asked = known ?? { incoming, body: await bodyOf(incoming) };
      reply(outgoing, await (known ? askGateway(asked) : judge(asked)));
    } catch (error) {
      outgoing.destroy(error instanceof Error ? error : undefined);
    }
  });
  // A client that sends as the connection ends would get no answer.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  program = await startProgram(document, port);
  const stop = async () => {
    await program.stop();
    server.closeAllConnections();
    server.close();
  };
  return { port, violations: () => [...violations], counts: () => counts, stop };
}
