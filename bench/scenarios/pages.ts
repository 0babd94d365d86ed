import type { Environment } from '../environment.ts';
import { createClient } from '../load/client.ts';
import { timedLoad } from '../load/job.ts';
import { createPhotoFiles } from '../load/photo-files.ts';
import { upload } from '../load/upload-photo.ts';
import { capture } from '../measure/capture.ts';
import type { Candidate } from '../measure/comparison.ts';
import { adminHeaders } from '../processes/cli.ts';
import { atMost, costRatio, type Finding } from '../result.ts';
import type { Scenario } from '../scenario.ts';

const SLUG = 'trattoria';
const PHOTO_SIZE = [1_600, 1_200] as const;
/** Restaurants among which one with a menu of the wanted size is looked for. */
const CANDIDATES = 200;
const MOST_DEARER = 1.1;
const BROWSER = {
  'Accept-Language': 'de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7',
  'User-Agent':
    'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36',
  Accept: 'text/html,application/xhtml+xml,image/avif,image/webp,*/*;q=0.8',
  Cookie: 'theme=dark',
};

/** A read, and the length of its body in bytes. */
interface Read {
  name: string;
  path: string;
  headers: Record<string, string>;
  bytes: number;
}

async function measured(
  { lavagna }: Environment,
  name: string,
  path: string,
  headers: Record<string, string>,
): Promise<Read> {
  const { body } = await capture(lavagna.gateway.port, path, headers);
  return { name, path, headers, bytes: body.length };
}

/** A hot menu whose body is about as long, compressed or not. */
async function menuOfSize(environment: Environment, bytes: number): Promise<Read> {
  let best: Read | undefined;
  const distance = (read: Read) => Math.abs(read.bytes - bytes);
  for (const slug of environment.slugs.slice(0, CANDIDATES)) {
    for (const encoding of ['br', 'identity']) {
      const headers = { Host: environment.host(slug), 'Accept-Encoding': encoding };
      const menu = await measured(environment, 'menu', '/api/v1/menu', headers);
      if (!best || distance(menu) < distance(best)) best = menu;
    }
  }
  if (!best) throw new Error('there is no restaurant');
  return best;
}

/** Measures reads of one gateway; the first one is a menu. */
async function compareReads(
  environment: Environment,
  title: string,
  reads: readonly Read[],
  status: number,
): Promise<Finding> {
  const { gateway } = environment.lavagna;
  const candidates: Candidate[] = [];
  for (const { name, path, headers, bytes } of reads) {
    const own: Record<string, string> = { ...headers };
    if (status === 304) {
      own['If-None-Match'] = (await capture(gateway.port, path, headers)).etag;
    }
    const job = timedLoad(gateway.port, [{ path, headers: own }], environment.size.seconds, status);
    const length = status === 304 ? '' : `, ${(bytes / 1_000).toFixed(1)} KB`;
    candidates.push({ name: `${name}${length}`, server: gateway, job });
  }
  const rows = await environment.compare(candidates);
  const [menu, ...others] = rows;
  const goals = others.flatMap((row) =>
    menu ? [atMost(`CPU of ${row.name} ÷ of ${menu.name}`, costRatio(row, menu), MOST_DEARER)] : [],
  );
  return { title, rows, goals };
}

async function uploadOne({ lavagna, dataDir }: Environment): Promise<string> {
  using client = createClient(lavagna.gateway.port);
  const headers = await adminHeaders({ DATA_DIR: dataDir }, SLUG);
  const draw = await createPhotoFiles(...PHOTO_SIZE);
  const { sources } = await upload(client, { slug: SLUG, headers }, await draw('jpeg', 1));
  return new URL(sources.avif[0]?.url ?? '').pathname;
}

/** The guests' page, its files and photos beside hot menus of the same size. */
export const pages: Scenario = {
  name: 'pages',
  run: async (environment) => {
    const Host = environment.host(SLUG);
    const packed = { Host, 'Accept-Encoding': 'br' };
    const plain = { Host, 'Accept-Encoding': 'identity' };
    const read = (name: string, path: string, headers: Record<string, string>) =>
      measured(environment, name, path, headers);
    const photoPath = await uploadOne(environment);
    const { body } = await capture(environment.lavagna.gateway.port, '/', plain);
    const script = /src="([^"]+\/display\.js)"/.exec(String(body))?.[1] ?? '';
    const unchanged = [
      await read('304 of a menu', '/api/v1/menu', packed),
      await read('304 of the page', '/', packed),
      await read('304 of a file', script, packed),
      await read('304 of a photo', photoPath, packed),
    ];
    const asked = { ...packed, ...BROWSER };
    const asBrowser = [
      await read('304 of a menu to a browser', '/api/v1/menu', asked),
      await read('304 of the page to a browser', '/', asked),
    ];
    const page = await read('the page, br', '/', packed);
    const photo = await read('a photo', photoPath, packed);
    // Of a usual restaurant: no menu is as long as the page of the first one.
    const usual = { ...plain, Host: environment.host(environment.slugs[2] ?? SLUG) };
    const whole = await read('the page, not compressed', '/', usual);
    const file = await read('a file, not compressed', script, plain);
    const beside = (title: string, reads: readonly [Read, ...Read[]]) =>
      menuOfSize(environment, reads[0].bytes).then((like) =>
        compareReads(environment, title, [like, ...reads], 200),
      );
    return [
      await compareReads(
        environment,
        'Page, files and photos, 304 to If-None-Match',
        unchanged,
        304,
      ),
      await compareReads(environment, 'Page, 304, with the headers of a browser', asBrowser, 304),
      await beside('The page, br, and a photo', [page, photo]),
      await beside('The page, not compressed', [whole]),
      await beside('A file of the page, not compressed', [file]),
    ];
  },
};
