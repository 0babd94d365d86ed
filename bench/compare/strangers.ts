import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { type Client, createClient } from '../load/client.ts';
import { percentilesOf } from '../load/percentiles.ts';
import { createPhotoFiles, type PhotoFile } from '../load/photo-files.ts';
import { startMenuReaders } from '../load/timed-load.ts';
import { upload } from '../load/upload-photo.ts';
import { adminHeaders } from '../processes/cli.ts';
import type { MeasureRound, Subject } from './comparisons.ts';

const GUESTS = 'trattoria';
const OTHER = 'pizzeria';
const READS_PER_SECOND = 200;
const SPAN_MS = 3_000;
/** As many digits as the name of a photo has. */
const DIGITS = 64;
/** An upload of 78 KB that has as many pixels as a photo may have. */
const NARROW = { width: 1, height: 39_999_999, channels: 3, background: '#000' } as const;
const NARROW_PICTURES = 2;
const PHOTO = [1_600, 1_200] as const;

interface Kind {
  name: string;
  perSecond: number;
  pathOf(n: number): string;
}

const kinds: readonly Kind[] = [
  { name: 'no stranger', perSecond: 0, pathOf: () => '' },
  { name: '350 screens a second', perSecond: 350, pathOf: () => '/screen' },
  {
    ...{ name: '1,154 unknown photos a second', perSecond: 1_154 },
    pathOf: (n) => `/media/${n.toString(16).padStart(DIGITS, '0')}-320.webp`,
  },
];

/** Sends requests at a steady rate for `SPAN_MS`, and waits for their answers, whatever they are. */
async function sendSteadily(client: Client, { perSecond, pathOf }: Kind, first: number) {
  if (perSecond === 0) return sleep(SPAN_MS);
  const started = performance.now();
  const sent: Promise<unknown>[] = [];
  for (let n = 0; performance.now() - started < SPAN_MS; n += 1) {
    sent.push(client.call(GUESTS, { base: '', path: pathOf(first + n) }).catch(() => undefined));
    const wait = started + (n * 1_000) / perSecond - performance.now();
    await (wait > 0 ? sleep(wait) : nextTurn());
  }
  await Promise.all(sent);
}

/** The p99 of a guest's reads beside requests of one address that no limit of the API counts. */
export async function strangers({ lavagna }: Subject): Promise<MeasureRound> {
  const { port } = lavagna.gateway;
  const client = createClient(port);
  let first = 0;
  return async () => {
    await using readers = await startMenuReaders(port, [GUESTS], READS_PER_SECOND);
    const costs: Record<string, number> = {};
    for (const kind of kinds) {
      await readers.take();
      await sendSteadily(client, kind, first);
      first += kind.perSecond * SPAN_MS;
      costs[`hot p99 beside ${kind.name}, ms`] = percentilesOf(await readers.take()).p99;
    }
    return costs;
  };
}

/** How long a photo of a restaurant takes, alone and behind narrow pictures of another one. */
export async function photoTurns(subject: Subject): Promise<MeasureRound> {
  const client = createClient(subject.lavagna.gateway.port);
  const env = { DATA_DIR: subject.dataDir };
  const headersOf = (slug: string) => adminHeaders(env, slug, subject.folder);
  const house = { slug: GUESTS, headers: await headersOf(GUESTS) };
  const sender = { ...(await headersOf(OTHER)), 'Content-Type': 'image/png' };
  const draw = await createPhotoFiles(...PHOTO);
  const blank = sharp({ create: NARROW, limitInputPixels: false }).toColourspace('b-w');
  const body = await blank.png({ compressionLevel: 9 }).toBuffer();
  const headers = { ...sender, Prefer: 'respond-async' };
  const narrow = { method: 'POST', path: '/admin/photos', headers, body };
  let seed = 0;
  const secondsOf = async (file: PhotoFile) => {
    const started = performance.now();
    await upload(client, house, file);
    return (performance.now() - started) / 1_000;
  };
  return async () => {
    seed += 2;
    const alone = await secondsOf(await draw('jpeg', seed));
    const file = await draw('jpeg', seed + 1);
    for (let n = 0; n < NARROW_PICTURES; n += 1) await client.call(OTHER, narrow);
    return {
      'a photo alone, s': alone,
      [`a photo behind ${NARROW_PICTURES} narrow pictures of another, s`]: await secondsOf(file),
    };
  };
}
