import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../environment.ts';
import { type Client, createClient } from '../load/client.ts';
import { measureFirstView } from '../load/first-view.ts';
import {
  createPhotoFiles,
  type DrawPhoto,
  type PhotoFile,
  type PhotoFormat,
} from '../load/photo-files.ts';
import { startMenuReaders, startPhotoReaders } from '../load/timed-load.ts';
import { type House, type UploadedPhoto, upload } from '../load/upload-photo.ts';
import { medianAndRange, medianOf } from '../measure/median.ts';
import { adminHeaders } from '../processes/cli.ts';
import { withFolder } from '../processes/temporary-folder.ts';
import {
  commandLine,
  cpuTime,
  processTree,
  residentBytes,
  sharedOutBytes,
  treeCpuTime,
} from '../processes/usage.ts';
import { atMost, type Figure, type Finding } from '../result.ts';
import type { Scenario } from '../scenario.ts';

/** A photo of a phone, and the largest one that is taken of each format, in pixels. */
const USUAL = [4_000, 3_000] as const;
const LARGEST = [7_680, 5_200] as const;
const LARGEST_AVIF = [4_080, 3_060] as const;
const LARGEST_FORMATS = ['jpeg', 'png', 'webp'] as const;
const LARGEST_AT_ONCE = 10;
const ON_PAGE = 60;
const RESTAURANTS = 6;
const UPLOADS_AT_ONCE = 2;
const MOST_WORKER_MB = 400;
const MOST_PAGE_KB = 400;
const PHOTOS_PER_SECOND = 200;
const MENUS_PER_SECOND = 300;
const ROUND_MS = 4_000;
const ROUNDS = 7;
const MOST_SLOWER = 1.02;
const SAMPLE_MS = 50;
const BYTES_PER_MB = 1_048_576;

interface Setup {
  client: Client;
  worker: number;
  gateway: number;
  progress: Environment['progress'];
  /** A quick run does a part of it. */
  isThorough: boolean;
}

/** Deletes the photos that an earlier run with the same data has left: they fill the quota. */
async function makeRoom(client: Client, { slug, headers }: House): Promise<void> {
  for (;;) {
    const listed = await client.expect(200, slug, { path: '/admin/photos?per_page=100', headers });
    const photos: UploadedPhoto[] = JSON.parse(listed.text).data;
    if (photos.length === 0) return;
    const operations = photos.map(({ id }) => ({ resource: 'photos', action: 'delete', id }));
    const body = { operations };
    await client.expect(200, slug, { method: 'POST', path: '/admin/bulk', headers, body });
  }
}

/** Resident memory, in bytes; 0 for processes that have ended. */
function memoryOf(pids: readonly number[]): number {
  const sizes = pids.map((pid) => {
    try {
      return residentBytes(pid);
    } catch {
      return 0;
    }
  });
  return sizes.filter(Number.isFinite).reduce((sum, each) => sum + each, 0);
}

/** The costs of some work. */
interface Watched {
  seconds: number;
  /** CPU time, in s. */
  workerCpu: number;
  gatewayCpu: number;
  /** The most memory, in MiB. */
  workerMb: number;
  /** That of the process that makes photos. */
  makerMb: number;
  /** That of both; what they share counts once. */
  togetherMb: number;
}

async function watched({ worker, gateway }: Setup, work: () => Promise<void>): Promise<Watched> {
  const before = {
    at: performance.now(),
    worker: treeCpuTime(worker),
    gateway: cpuTime([gateway]),
  };
  const most = { worker: 0, maker: 0, together: 0 };
  const look = () => {
    const [own = worker, ...others] = processTree(worker);
    most.worker = Math.max(most.worker, memoryOf([own]));
    most.maker = Math.max(most.maker, memoryOf(others));
    most.together = Math.max(most.together, sharedOutBytes([own, ...others]));
  };
  const sampling = setInterval(look, SAMPLE_MS);
  await work().finally(() => clearInterval(sampling));
  return {
    seconds: (performance.now() - before.at) / 1_000,
    workerCpu: (treeCpuTime(worker) - before.worker) / 1_000_000,
    gatewayCpu: (cpuTime([gateway]) - before.gateway) / 1_000_000,
    workerMb: most.worker / BYTES_PER_MB,
    makerMb: most.maker / BYTES_PER_MB,
    togetherMb: most.together / BYTES_PER_MB,
  };
}

function memoryFigures({ workerMb, makerMb, togetherMb }: Watched): Figure[] {
  return [
    { name: 'most memory of the worker', unit: 'MiB', median: workerMb },
    { name: 'most memory of its process that makes photos', unit: 'MiB', median: makerMb },
    { name: 'most memory of both, what they share once', unit: 'MiB', median: togetherMb },
  ];
}

function memoryGoals({ workerMb, makerMb }: Watched) {
  return [
    atMost('most memory of the worker, MiB', workerMb, MOST_WORKER_MB),
    atMost('most memory of its process that makes photos, MiB', makerMb, MOST_WORKER_MB),
  ];
}

/** Owners upload usual photos; those of the first restaurant. */
async function uploadUsual(
  setup: Setup,
  houses: readonly House[],
  count: number,
): Promise<{ finding: Finding; photos: UploadedPhoto[] }> {
  setup.progress(`drawing ${count} photos`);
  const draw = await createPhotoFiles(...USUAL);
  const files: PhotoFile[] = [];
  for (let seed = 0; seed < count; seed += 1) files.push(await draw('jpeg', seed));
  setup.progress('uploading them');
  const photos: UploadedPhoto[] = [];
  const costs = await watched(setup, async () => {
    const waiting = files.map((file, at) => {
      return { file, house: at < ON_PAGE ? 0 : 1 + (at % (houses.length - 1)) };
    });
    const one = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const photo = await upload(setup.client, houses[next.house] as House, next.file);
        if (next.house === 0) photos.push(photo);
      }
    };
    await Promise.all(Array.from({ length: UPLOADS_AT_ONCE }, one));
  });
  const { seconds, workerCpu, gatewayCpu } = costs;
  const bytes = files.reduce((sum, { content }) => sum + content.length, 0);
  const figures: Figure[] = [
    { name: 'mean size of a file', unit: 'MB', median: bytes / count / 1_000_000 },
    { name: 'until all are made', unit: 's', median: seconds },
    { name: 'CPU of the worker for one', unit: 's', median: workerCpu / count },
    { name: 'CPU of the gateway for one', unit: 'ms', median: (gatewayCpu / count) * 1_000 },
    ...memoryFigures(costs),
  ];
  const title = `${count} photos of 12 megapixels, JPEG`;
  const note = `${UPLOADS_AT_ONCE} clients upload, one photo after the other. The worker's figures include the process that makes photos.`;
  return { finding: { title, note, figures, goals: memoryGoals(costs) }, photos };
}

/** Owners upload photos of the largest size at once. */
async function uploadLargest(
  setup: Setup,
  house: House,
  { title, draw, formats }: { title: string; draw: DrawPhoto; formats: readonly PhotoFormat[] },
): Promise<{ finding: Finding; costs: Watched }> {
  setup.progress('drawing the largest photos');
  const files: PhotoFile[] = [];
  for (const [seed, format] of formats.entries()) files.push(await draw(format, seed));
  setup.progress('uploading them at once');
  const costs = await watched(setup, async () => {
    await Promise.all(files.map((file) => upload(setup.client, house, file)));
  });
  const sizes = files.map(({ content }) => content.length / BYTES_PER_MB);
  const figures: Figure[] = [
    { name: 'size of a file', unit: 'MiB', ...medianAndRange(sizes) },
    { name: 'until all are made', unit: 's', median: costs.seconds },
    { name: 'CPU of the worker', unit: 's', median: costs.workerCpu },
    ...memoryFigures(costs),
  ];
  const goals = memoryGoals(costs);
  return { finding: { title: `${files.length} ${title}`, figures, goals }, costs };
}

/** AVIF has a bound of its own: its decoder needs the most memory for a pixel. */
async function uploadLargestOfAll(setup: Setup, house: House): Promise<Finding[]> {
  const count = setup.isThorough ? LARGEST_AT_ONCE : LARGEST_FORMATS.length;
  const { finding, costs } = await uploadLargest(setup, house, {
    title: 'of the largest photos at once: JPEG, PNG and WebP of 40 megapixels',
    draw: await createPhotoFiles(...LARGEST),
    formats: Array.from({ length: count }, (_, at) => LARGEST_FORMATS[at % 3] ?? 'jpeg'),
  });
  finding.goals?.push(atMost('most memory of both, MiB', costs.togetherMb, MOST_WORKER_MB));
  const avif = await uploadLargest(setup, house, {
    title: 'of the largest AVIFs at once, of 12.5 megapixels',
    draw: await createPhotoFiles(...LARGEST_AVIF),
    formats: ['avif', 'avif'],
  });
  return [finding, avif.finding];
}

/** Gives photos to dishes of a restaurant, if need be to several; how many have one. */
async function showOnPage({ client }: Setup, { slug, headers }: House, photos: UploadedPhoto[]) {
  const { text } = await client.expect(200, slug, { path: '/items?per_page=100' });
  const dishes: { id: number }[] = JSON.parse(text).data;
  const operations = dishes.slice(0, ON_PAGE).map(({ id }, at) => {
    const photo_id = photos[at % photos.length]?.id;
    return { resource: 'items', action: 'update', id, data: { photo_id } };
  });
  const body = { operations };
  await client.expect(200, slug, { method: 'POST', path: '/admin/bulk', headers, body });
  return operations.length;
}

async function viewPage(setup: Setup, house: House, photos: UploadedPhoto[], port: number) {
  const shown = await showOnPage(setup, house, photos);
  setup.progress('opening the page');
  const view = await withFolder('page', (folder) =>
    measureFirstView(`http://${house.slug}.localhost:${port}/`, folder),
  );
  const kilobytes = view.bytes / 1_000;
  return {
    title: `First view of a page with ${shown} photos, on a phone of 360 × 740 and 3 pixels a point`,
    figures: [
      { name: 'all that is received', unit: 'KB', median: kilobytes },
      { name: 'photos of it', unit: 'KB', median: view.photoBytes / 1_000 },
      { name: 'files of photos', unit: '', median: view.photos },
    ],
    goals: [atMost('all that is received, KB', kilobytes, MOST_PAGE_KB)],
  };
}

/** Reads menus with and without photos beside them, in alternating rounds. */
async function readBeside(setup: Setup, house: House, photos: UploadedPhoto[], port: number) {
  setup.progress('reading menus beside photos');
  const paths = photos.flatMap(({ sources }) =>
    sources.avif.map(({ url }) => new URL(url).pathname),
  );
  await using menus = await startMenuReaders(port, [house.slug], MENUS_PER_SECOND);
  const round = async () => {
    await menus.take();
    const before = cpuTime([setup.gateway]);
    await sleep(ROUND_MS);
    const cpu = (cpuTime([setup.gateway]) - before) / (ROUND_MS * 1_000);
    return { p50: medianOf(await menus.take()), cpu };
  };
  const ratios: number[] = [];
  const costs: number[] = [];
  for (let count = 0; count < (setup.isThorough ? ROUNDS : 2); count += 1) {
    const alone = await round();
    const readers = await startPhotoReaders(port, house.slug, paths, PHOTOS_PER_SECOND);
    const beside = await round().finally(() => readers.stop());
    ratios.push(beside.p50 / alone.p50);
    costs.push((beside.cpu - alone.cpu) * 100);
  }
  const ratio = medianAndRange(ratios);
  return {
    title: `${MENUS_PER_SECOND} hot menus a second, alone and beside ${PHOTOS_PER_SECOND} photos a second`,
    figures: [
      { name: 'time of a menu beside photos ÷ alone, p50', unit: '', ...ratio },
      { name: 'CPU of the gateway for the photos', unit: '% of a core', ...medianAndRange(costs) },
    ],
    goals: [atMost('time of a menu beside photos ÷ alone', ratio.median, MOST_SLOWER)],
  };
}

/** Photos: making them, their page, and menus that are read beside them. */
export const photos: Scenario = {
  name: 'photos',
  run: async ({ lavagna, dataDir, slugs, size, progress }) => {
    const { gateway, pid } = lavagna;
    const worker = processTree(pid).find((each) => commandLine(each).includes('workers/main.ts'));
    if (worker === undefined) throw new Error('Lavagna runs without a worker');
    using client = createClient(gateway.port);
    const setup: Setup = {
      client,
      worker,
      gateway: gateway.pid,
      progress,
      isThorough: size.isThorough,
    };
    const houses: House[] = [];
    for (const slug of slugs.slice(0, size.isThorough ? RESTAURANTS : 2)) {
      const house = { slug, headers: await adminHeaders({ DATA_DIR: dataDir }, slug) };
      await makeRoom(client, house);
      houses.push(house);
    }
    const [first, second] = houses as [House, House];
    const { finding, photos: own } = await uploadUsual(setup, houses, size.photos);
    return [
      finding,
      ...(await uploadLargestOfAll(setup, second)),
      await viewPage(setup, first, own, gateway.port),
      await readBeside(setup, first, own, gateway.port),
    ];
  },
};
