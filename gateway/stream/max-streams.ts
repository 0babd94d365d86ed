import { readFileSync } from 'node:fs';
import { constants } from '../../db/runtime/constants.ts';

/** Files and connections that a gateway keeps for all else, at least, and as a share of the limit. */
const OTHER_FILES = 256;
const OTHER_SHARE = 0.1;

/**
 * How many streams the limit of open files leaves room for, at most `constants.maxStreams`.
 *
 * @param limits what `/proc/self/limits` says; empty where the system has none
 */
export function maxStreamsFor(limits: string): number {
  const [, hard] = /^Max open files +\S+ +(\S+)/m.exec(limits) ?? [];
  const files = Number(hard);
  // "unlimited" is no number; nor is what a system without such a file says.
  if (!Number.isFinite(files)) return constants.maxStreams;
  const others = Math.max(OTHER_FILES, Math.ceil(files * OTHER_SHARE));
  return Math.max(0, Math.min(constants.maxStreams, files - others));
}

/** The default of STREAMS_MAX in this process. */
export function defaultMaxStreams(): number {
  try {
    return maxStreamsFor(readFileSync('/proc/self/limits', 'utf8'));
  } catch {
    return constants.maxStreams;
  }
}
