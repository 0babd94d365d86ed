import type { ClientNetwork } from '../http/client-address.ts';
import type { Sink } from '../http/sink.ts';
import type { KnownVersion, MenuVersion } from './event.ts';

/** Why a stream has ended. */
export type Closing = 'left' | 'slow' | 'expired' | 'drained' | 'gone';

export interface StreamingScreen {
  id: number;
  /** Told when the stream begins and when it ends. */
  note(isHere: boolean): void;
}

/** A screen could not be looked up: its stream ends soon, so that the next one asks again. */
export const UNREAD_SCREEN = 'unread';

/** The streams of one restaurant. */
interface Channel {
  slug: string;
  /** The newest version that is known; null until it is. */
  newest: MenuVersion | null;
  /** The event that tells of it, in bytes. */
  event: Buffer;
  streams: Set<Stream>;
  counts: Map<ClientNetwork, number>;
}

/** An open stream. The times are on the clock of the streams. */
export interface Stream {
  channel: Channel;
  client: ClientNetwork;
  /** As `clientSite`. */
  site: ClientNetwork;
  sink: Sink;
  /** The screen that holds it; null for any other display. */
  screen: StreamingScreen | null;
  /** The version that its client was told last. */
  known: KnownVersion;
  commentAt: number;
  endsAt: number;
}

/** Counts how many a client has. */
function count(counts: Map<ClientNetwork, number>, client: ClientNetwork, more: 1 | -1): void {
  const left = (counts.get(client) ?? 0) + more;
  if (left > 0) counts.set(client, left);
  else counts.delete(client);
}

/** The open streams, and how those of former times have ended. */
export type Register = ReturnType<typeof createRegister>;

const NO_EVENT = Buffer.alloc(0);

export function createRegister() {
  const channels = new Map<string, Channel>();
  /** All open streams, in the order in which they were added. */
  const open = new Set<Stream>();
  const sites = new Map<ClientNetwork, number>();
  const closed: Record<Closing, number> = { left: 0, slow: 0, expired: 0, drained: 0, gone: 0 };
  return {
    ...{ open, closed },
    /** The channel of a restaurant; it lasts from its first stream to its last. */
    channel: (slug: string) => channels.get(slug),
    slugs: () => [...channels.keys()],
    /** How many streams a client has, of all restaurants. */
    countOf: (site: ClientNetwork) => sites.get(site) ?? 0,
    add: (slug: string, parts: Omit<Stream, 'channel'>): Stream => {
      const isNew = { slug, newest: null, event: NO_EVENT };
      const channel = channels.get(slug) ?? { ...isNew, streams: new Set(), counts: new Map() };
      channels.set(slug, channel);
      const stream = { ...parts, channel };
      channel.streams.add(stream);
      count(channel.counts, parts.client, 1);
      count(sites, parts.site, 1);
      open.add(stream);
      stream.screen?.note(true);
      return stream;
    },
    /** Puts a stream behind all others. */
    requeue: (stream: Stream) => {
      open.delete(stream);
      open.add(stream);
    },
    /** False when it was removed before. */
    remove: (stream: Stream, closing: Closing) => {
      if (!open.delete(stream)) return false;
      const { channel, client } = stream;
      channel.streams.delete(stream);
      count(channel.counts, client, -1);
      count(sites, stream.site, -1);
      if (channel.streams.size === 0) channels.delete(channel.slug);
      closed[closing] += 1;
      stream.screen?.note(false);
      return true;
    },
  };
}
