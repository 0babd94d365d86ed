import type { Environment } from '../environment.ts';
import { createClient } from '../load/client.ts';
import type { LoadRequest } from '../load/job.ts';
import { openRestaurant } from '../load/restaurant.ts';
import { sendMenu } from '../load/whole-menus.ts';
import { measureLoad } from '../measure/comparison.ts';
import { runCli } from '../processes/cli.ts';
import { startGateway } from '../processes/lavagna.ts';
import type { Figure, Finding } from '../result.ts';
import type { Scenario } from '../scenario.ts';

/** Restaurants of each kind; all have the same menu. */
const RESTAURANTS = 20;
const CACHE_MB = 256;
const FIVE = ['it', 'en', 'fr', 'de', 'es'];
const SEVEN = ['pt', 'nl', 'pl', 'cs', 'el', 'ru', 'ja'];

type Json = Record<string, unknown>;

/** A text of the demo in further languages: as long as its German one, and another in each. */
function withLanguages(value: unknown, further: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => withLanguages(one, further));
  if (typeof value !== 'object' || value === null) return value;
  const { it, de } = value as Json;
  if (typeof it === 'string' && typeof de === 'string') {
    const texts = further.map((locale) => [locale, de && `${de} ${locale}`]);
    return { ...value, ...Object.fromEntries(texts) };
  }
  // Ids are those of another restaurant.
  const entries = Object.entries(value).filter(([name]) => !/^id$|(?<!external)_id$/.test(name));
  return Object.fromEntries(entries.map(([name, one]) => [name, withLanguages(one, further)]));
}

/** The menu of `trattoria` in so many languages, for another restaurant. */
function menuIn(exported: Json, further: readonly string[]): Json {
  const { settings, ...lists } = withLanguages(exported, further) as Json & { settings: Json };
  const { slug: _slug, ...rest } = settings;
  return { ...lists, settings: { ...rest, supported_locales: [...FIVE, ...further] } };
}

/** Reads menus by a gateway that has just started: each in its default language, then in all others. */
async function readAll(
  { lavagna, load, host }: Environment,
  [spare = '', ...slugs]: readonly string[],
  languages: readonly string[],
): Promise<Figure[]> {
  await using gateway = await startGateway('gateway', lavagna.databaseUrl, {
    env: { SNAPSHOT_CACHE_MB: String(CACHE_MB) },
  });
  const read = async (locales: readonly string[]) => {
    const requests = slugs.flatMap((slug) =>
      locales.map((locale): LoadRequest => {
        const headers = { Host: host(slug), 'Accept-Encoding': 'br' };
        return { path: `/api/v1/menu/${locale}`, headers };
      }),
    );
    const job = { kind: 'requests', port: gateway.port, connections: 4, requests } as const;
    const { cpu } = await measureLoad(load, gateway, { ...job, expectedStatus: 200 });
    const bytes = (await gateway.metric('lavagna_snapshot_cache_bytes')) / (slugs.length + 1);
    return { cpu: cpu / requests.length / 1_000, kilobytes: bytes / 1_000 };
  };
  const [first = '', ...others] = languages;
  using client = createClient(gateway.port);
  const { text } = await client.expect(200, spare, { path: `/menu/${first}` });
  const one = await read([first]);
  const all = await read(others);
  return [
    { name: 'body of /menu, plain', unit: 'KB', median: Buffer.byteLength(text) / 1_000 },
    { name: 'first read: CPU of the gateway', unit: 'ms', median: one.cpu },
    { name: 'memory of the cache after it', unit: 'KB/menu', median: one.kilobytes },
    { name: 'first read in each other language: CPU', unit: 'ms', median: all.cpu },
    { name: 'memory with all languages read', unit: 'KB/menu', median: all.kilobytes },
  ];
}

/** Bytes, memory and first reads of the same menu in five languages and in twelve. */
export const languages: Scenario = {
  name: 'languages',
  run: async (environment): Promise<Finding[]> => {
    const { lavagna, slugs, progress } = environment;
    const env = { DATABASE_URL: lavagna.databaseUrl };
    const exported = await runCli<Json>(env, 'menu', 'export', 'trattoria');
    using client = createClient(lavagna.gateway.port);
    const findings: Finding[] = [];
    for (const [at, further] of [[], SEVEN].entries()) {
      const own = slugs.slice(2 + at * RESTAURANTS, 2 + (at + 1) * RESTAURANTS);
      const all = [...FIVE, ...further];
      progress(`importing ${own.length} menus in ${all.length} languages`);
      for (const slug of own) {
        const restaurant = await openRestaurant(client, slug);
        const document = menuIn(exported, further);
        await sendMenu(client, restaurant, document, '?delete_missing=all', 'languages');
      }
      const title = `${own.length} menus of 99 dishes in ${all.length} languages`;
      findings.push({ title, figures: await readAll(environment, own, all) });
    }
    return findings;
  },
};
