import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { request as secureRequest } from 'node:https';
import { until } from './until.ts';

export interface VersionEvent {
  id: string;
  epoch: string;
  version: number;
  generatedAt: string;
}

/** A display's end of a stream. */
export interface EventStream {
  status: number;
  headers: IncomingMessage['headers'];
  /** The events until now. */
  events: VersionEvent[];
  retries: number[];
  comments(): number;
  /** Bytes as text; of an answer that is no stream, its body. */
  text(): string;
  /** How it ended: as the gateway ended it, or with the connection; null while it is open. */
  ending(): 'ended' | 'cut' | null;
  /** Waits for an event of a version. */
  untilVersion(version: number): Promise<void>;
  /** Waits until it has ended. */
  untilEnded(): Promise<void>;
  close(): void;
}

export interface EventStreamOptions {
  port: number;
  host: string;
  /** By default that of the API. */
  path?: string;
  lastEventId?: string;
  method?: string;
  /** By which a screen is known. */
  cookie?: string;
  /** The certificate to trust; without it, plain HTTP. */
  ca?: Buffer;
  /** One of this machine's addresses, 127.0.0.x. */
  localAddress?: string;
}

function parseEvent(block: string): VersionEvent | null {
  const fields = new Map(
    block.split('\n').map((line) => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)] as const;
    }),
  );
  const id = fields.get('id');
  if (id === undefined || fields.get('event') !== 'version') return null;
  const { version, generated_at } = JSON.parse(fields.get('data') ?? '');
  return { id, epoch: id.slice(0, id.lastIndexOf('-')), version, generatedAt: generated_at };
}

function follow(outgoing: ClientRequest, incoming: IncomingMessage): EventStream {
  const events: VersionEvent[] = [];
  const retries: number[] = [];
  let [text, rest, comments] = ['', '', 0];
  let ending: 'ended' | 'cut' | null = null;
  incoming.setEncoding('utf8');
  incoming.on('data', (piece: string) => {
    text += piece;
    rest += piece;
    const blocks = rest.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const lines of blocks) {
      // An empty line stands between two pieces.
      const block = lines.trimStart();
      const retry = /^retry: (\d+)$/.exec(block)?.[1];
      const event = parseEvent(block);
      if (retry) retries.push(Number(retry));
      else if (block === ':') comments += 1;
      else if (event) events.push(event);
    }
  });
  incoming.on('end', () => {
    ending = 'ended';
  });
  incoming.on('error', () => {
    ending = 'cut';
  });
  return {
    ...{ status: incoming.statusCode ?? 0, headers: incoming.headers, events, retries },
    comments: () => comments,
    text: () => text,
    ending: () => ending,
    untilVersion: (version) =>
      until(`no event of version ${version}`, () => events.at(-1)?.version === version),
    untilEnded: () => until('the stream did not end', () => ending !== null),
    close: () => outgoing.destroy(),
  };
}

/** Opens a stream; resolves when its head is there. */
export function openEventStream(options: EventStreamOptions): Promise<EventStream> {
  const { port, host, path = '/api/v1/stream', lastEventId, localAddress } = options;
  const { method = 'GET', cookie, ca } = options;
  return new Promise((resolve, reject) => {
    const outgoing = (ca ? secureRequest : request)({
      ...{ host: '127.0.0.1', port, path, method, agent: false },
      ...(ca && { ca, servername: host }),
      ...(localAddress && { localAddress }),
      headers: {
        Host: host,
        Accept: 'text/event-stream',
        ...(cookie !== undefined && { Cookie: cookie }),
        ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }),
      },
    });
    outgoing.on('response', (incoming) => resolve(follow(outgoing, incoming)));
    outgoing.on('error', reject);
    outgoing.end();
  });
}
