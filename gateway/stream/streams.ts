import { readFileSync } from 'node:fs';
import { type Constants, constants as fixed } from '../../db/runtime/constants.ts';
import { openFilesLimit } from '../../db/runtime/open-files.ts';
import { stopOnce } from '../../db/runtime/running.ts';
import { type ClientAddress, clientNetwork, clientSite } from '../http/client-address.ts';
import { CrowdedError, TooManyStreamsError } from '../http/errors.ts';
import type { OpenStream } from '../http/sink.ts';
import {
  COMMENT,
  isNews,
  type KnownVersion,
  type MenuVersion,
  retryLine,
  SCREEN_EVENT,
  versionEvent,
} from './event.ts';
import {
  type Closing,
  createRegister,
  type Register,
  type Stream,
  type StreamingScreen,
  UNREAD_SCREEN,
} from './register.ts';

/** Streams that an IPv4 address or IPv6 /48 has at least. */
const MIN_CLIENT_STREAMS = 64;

/** Streams that are written to in one turn of the event loop. */
const STREAMS_PER_TURN = 50;

/** Files and connections that a gateway keeps for all else, at least, and as a share of the limit. */
const OTHER_FILES = 256;
const OTHER_SHARE = 0.1;

/**
 * How many streams the limit of open files leaves room for, at most `constants.maxStreams`.
 *
 * @param limits what `/proc/self/limits` says; empty where the system has none
 */
export function maxStreamsFor(limits: string): number {
  const files = Number(openFilesLimit(limits));
  // "unlimited" is no number; nor is what a system without such a file says.
  if (!Number.isFinite(files)) return fixed.maxStreams;
  const others = Math.max(OTHER_FILES, Math.ceil(files * OTHER_SHARE));
  return Math.max(0, Math.min(fixed.maxStreams, files - others));
}

/** The default of STREAMS_MAX in this process. */
export function defaultMaxStreams(): number {
  try {
    return maxStreamsFor(readFileSync('/proc/self/limits', 'utf8'));
  } catch {
    return fixed.maxStreams;
  }
}

/** The streams on which this gateway tells displays of new versions. */
export type Streams = ReturnType<typeof createStreams>;

interface StreamsOptions {
  constants: Pick<
    Constants,
    'streamCommentInterval' | 'minStreamAge' | 'maxStreamAge' | 'maxStreamsPerClient'
  >;
  maxStreams: number;
  /** Milliseconds on a clock that never goes back. */
  now: () => number;
}

/** In one interval of the comments it is looked so often for streams that need one. */
const LOOKS_PER_INTERVAL = 25;

/** A whole number from `min` to `max`. */
function randomBetween(min: number, max: number): number {
  return min + Math.floor(Math.random() * (max - min + 1));
}

/** Writes to streams what is due, and ends them when their time has come. */
function createWriter({ constants, now }: StreamsOptions, register: Register) {
  const { streamCommentInterval } = constants;
  let events = 0;
  let isDraining = false;
  let onEmpty: (() => void) | undefined;

  const remove = (stream: Stream, closing: Closing): boolean => {
    if (!register.remove(stream, closing)) return false;
    turns.delete(stream);
    if (register.open.size === 0) onEmpty?.();
    return true;
  };
  const end = (stream: Stream, closing: Closing) => {
    if (remove(stream, closing)) stream.sink.end();
  };
  const write = (stream: Stream, piece: string | Buffer) => {
    // A client that does not take so little is asleep, or no longer there.
    if (!stream.sink.write(piece) && remove(stream, 'slow')) stream.sink.cut();
  };
  /** Ends a stream whose client comes back at once, so that it sees a change of this moment too. */
  const expire = (stream: Stream) => {
    write(stream, retryLine(fixed.expiredStreamRetry));
    end(stream, 'expired');
  };
  /** The event that is news to the stream; null for none. */
  const takeNews = (stream: Stream): Buffer | null => {
    const { newest, event } = stream.channel;
    if (!newest || !isNews(stream.known, newest)) return null;
    stream.known = newest;
    events += 1;
    return event;
  };
  const attend = (stream: Stream) => {
    const at = now();
    if (isDraining) return end(stream, 'drained');
    if (at >= stream.endsAt) return expire(stream);
    const isSilent = at >= stream.commentAt;
    if (isSilent) {
      stream.commentAt = at + streamCommentInterval;
      register.requeue(stream);
    }
    const piece = takeNews(stream) ?? (isSilent ? COMMENT : null);
    if (piece) write(stream, piece);
  };
  const turns = createItemTurns(STREAMS_PER_TURN, attend);

  return {
    ...{ remove, end, attendSoon: turns.add },
    tellScreens: (streams: Iterable<Stream>, id: number | null) => {
      for (const stream of streams) {
        const isMeant = stream.screen && (id === null || stream.screen.id === id);
        if (isMeant) write(stream, SCREEN_EVENT);
      }
    },
    events: () => events,
    greet: (stream: Stream) => {
      const retry = retryLine(randomBetween(fixed.minStreamRetry, fixed.maxStreamRetry));
      write(stream, retry + (takeNews(stream)?.toString() ?? ''));
      if (isDraining) turns.add([stream]);
    },
    drain: () => {
      isDraining = true;
      turns.add(register.open);
      return new Promise<void>((resolve) => {
        onEmpty = resolve;
        if (register.open.size === 0) resolve();
      });
    },
  };
}

/** Finds streams that need a comment; they stand in the order in which they do. */
function* silentStreams({ open }: Register, at: number): Iterable<Stream> {
  for (const stream of open) {
    if (at < stream.commentAt) return;
    yield stream;
  }
}

export function createStreams(options: StreamsOptions) {
  const { constants, maxStreams, now } = options;
  const { streamCommentInterval, minStreamAge, maxStreamAge } = constants;
  const register = createRegister();
  const share = Math.floor(maxStreams * fixed.clientStreamShare);
  const maxOfSite = Math.max(MIN_CLIENT_STREAMS, share);
  const writer = createWriter(options, register);
  const look = setInterval(
    () => writer.attendSoon(silentStreams(register, now())),
    streamCommentInterval / LOOKS_PER_INTERVAL,
  );

  return {
    /**
     * Begins a stream.
     *
     * @param known what its client knows already
     * @param screen that holds it, if it is a screen of the panel's
     * @throws CrowdedError when there are too many streams
     * @throws TooManyStreamsError when its client has too many, of this restaurant or of all
     */
    begin: (
      slug: string,
      address: ClientAddress,
      known: KnownVersion,
      screen?: StreamingScreen | typeof UNREAD_SCREEN,
    ): OpenStream => {
      const client = clientNetwork(address);
      const site = clientSite(address);
      if (register.open.size >= maxStreams) throw new CrowdedError('there are too many streams');
      const own = register.channel(slug)?.counts.get(client) ?? 0;
      if (own >= constants.maxStreamsPerClient || register.countOf(site) >= maxOfSite) {
        throw new TooManyStreamsError();
      }
      return (sink) => {
        const at = now();
        // An end is looked for when a comment is due.
        const commentAt = at + streamCommentInterval;
        const isUnread = screen === UNREAD_SCREEN;
        const age = randomBetween(minStreamAge, maxStreamAge - streamCommentInterval);
        const endsAt = isUnread ? commentAt : at + age;
        const stream = register.add(slug, {
          ...{ client, site, sink, known, commentAt, endsAt },
          screen: isUnread ? null : (screen ?? null),
        });
        writer.greet(stream);
        return () => void writer.remove(stream, 'left');
      };
    },
    /** Tells the streams of a restaurant of a version, unless a newer one is known. */
    announce: (slug: string, version: MenuVersion) => {
      const channel = register.channel(slug);
      if (!channel || (channel.newest && !isNews(channel.newest, version))) return;
      channel.newest = version;
      channel.event = Buffer.from(versionEvent(version));
      writer.attendSoon(channel.streams);
    },
    /** Tells the streams of a screen, or of all screens, that settings may have changed. */
    tellScreens: (slug: string, id: number | null) =>
      writer.tellScreens(register.channel(slug)?.streams ?? [], id),
    /** The newest version that is known of a restaurant; null when it is not, or has no streams. */
    newest: (slug: string) => register.channel(slug)?.newest ?? null,
    /** The newest version that was known means nothing any longer; streams that were told keep it. */
    forgetNewest: (slug: string) => {
      const channel = register.channel(slug);
      if (channel) channel.newest = null;
    },
    has: (slug: string) => register.channel(slug) !== undefined,
    /** The restaurants that have streams. */
    slugs: register.slugs,
    /** Ends the streams of a restaurant that is no more. */
    endTenant: (slug: string) => {
      for (const stream of register.channel(slug)?.streams ?? []) writer.end(stream, 'gone');
    },
    /** Ends all streams, also those that are still to come; resolves when none is open. */
    drain: writer.drain,
    /** `events`: those sent since the start. */
    stats: () => ({
      ...{ open: register.open.size, events: writer.events() },
      closed: register.closed,
    }),
    ...stopOnce(async () => clearInterval(look)),
  };
}

/** Does something for each of many, a few in one turn of the event loop. */
function createItemTurns<T>(perTurn: number, act: (item: T) => void) {
  const due = new Set<T>();
  let isScheduled = false;
  const schedule = () => {
    if (isScheduled || due.size === 0) return;
    isScheduled = true;
    setImmediate(turn);
  };
  const turn = () => {
    isScheduled = false;
    let left = perTurn;
    for (const item of due) {
      if (left === 0) break;
      left -= 1;
      due.delete(item);
      act(item);
    }
    schedule();
  };
  return {
    add: (items: Iterable<T>) => {
      for (const item of items) due.add(item);
      schedule();
    },
    delete: (item: T) => void due.delete(item),
  };
}
