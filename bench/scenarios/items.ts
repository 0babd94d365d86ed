import type { Environment } from '../environment.ts';
import { createClient } from '../load/client.ts';
import { type LoadRequest, timedLoad } from '../load/job.ts';
import { capture } from '../measure/capture.ts';
import { adminHeaders, runCli } from '../processes/cli.ts';
import { atMost, type Finding } from '../result.ts';
import type { Scenario } from '../scenario.ts';

/** A restaurant with many copies of another restaurant's dishes. */
const SLUG = 'osteria-grande';
const MODEL = 'trattoria';
const [SECTIONS, DISHES_PER_SECTION] = [6, 50];
/** More queries a second than any gateway answers. */
const NEW_A_SECOND = 30_000;

interface Items {
  data: Record<
    'name_translations' | 'description_translations' | 'category_id' | 'name',
    unknown
  >[];
  meta: { total: number };
}

async function readItems(environment: Environment, slug: string): Promise<Items> {
  const headers = { Host: environment.host(slug) };
  const path = '/api/v1/items?per_page=100';
  const { body } = await capture(environment.lavagna.gateway.port, path, headers);
  return JSON.parse(body.toString()) as Items;
}

/** The first four letters of words in the dishes' names, as guests type them. */
function beginnings({ data }: Items): string[] {
  const words = data.flatMap(
    ({ name }) =>
      String(name)
        .toLowerCase()
        .match(/\p{L}{4,}/gu) ?? [],
  );
  return [...new Set(words.map((word) => word.slice(0, 4)))];
}

/** Creates the restaurant through the admin API, unless kept data has it already. */
async function plant(environment: Environment): Promise<void> {
  const { dataDir, slugs, lavagna, progress } = environment;
  if (slugs.includes(SLUG)) return;
  progress(`planting ${SECTIONS * DISHES_PER_SECTION} dishes`);
  const env = { DATA_DIR: dataDir };
  await runCli(env, 'tenant', 'create', SLUG, '--name', 'Osteria Grande');
  const headers = await adminHeaders(env, SLUG);
  using client = createClient(lavagna.gateway.port);
  const post = async (path: string, body: object): Promise<number> => {
    const { text } = await client.expect(201, SLUG, { method: 'POST', path, headers, body });
    return JSON.parse(text).data.id;
  };
  const models = (await readItems(environment, MODEL)).data;
  const plantSection = async (section: number) => {
    const category_id = await post('/admin/categories', { name: { it: `Carta ${section}` } });
    for (let count = 0; count < DISHES_PER_SECTION; count += 1) {
      const model = models[(section * DISHES_PER_SECTION + count) % models.length];
      const [name, description] = [model?.name_translations, model?.description_translations];
      await post('/admin/items', { category_id, name, description, price: 10 });
    }
  };
  await Promise.all(Array.from({ length: SECTIONS }, (_, section) => plantSection(section)));
}

/** Filtered and searched dishes: cached answers, and answers to new searches. */
export const items: Scenario = {
  name: 'items',
  run: async (environment): Promise<Finding[]> => {
    const { gateway } = environment.lavagna;
    const { seconds } = environment.size;
    await plant(environment);
    const headers = { Host: environment.host(SLUG) };
    const ask = (query: string): LoadRequest => ({ path: `/api/v1/items?${query}`, headers });
    const page = await readItems(environment, SLUG);
    const [dish] = page.data;
    const words = beginnings(page);
    const hot = (query: string) => timedLoad(gateway.port, [ask(query)], seconds);
    // A number makes each query a new one.
    const newSearches = (round: number) => {
      const count = NEW_A_SECOND * seconds;
      const queries = Array.from({ length: count }, (_, i) => {
        const [first, second] = [words[i % words.length], words[(i * 7 + 3) % words.length]];
        const search = encodeURIComponent(i % 2 === 0 ? `${first}` : `${first} ${second}`);
        return ask(`search=${search}&visit=${round * count + i}`);
      });
      return timedLoad(gateway.port, queries, seconds);
    };
    const searched = `search=${encodeURIComponent(words[0] ?? '')}`;
    const filtered = `category_id=${dish?.category_id}`;
    const rows = await environment.compare([
      { name: 'filtered by section, hot', server: gateway, job: hot(filtered) },
      { name: 'searched, hot', server: gateway, job: hot(searched) },
      { name: 'new searches', server: gateway, job: newSearches },
    ]);
    const cpu = rows[2]?.cpu.median ?? Number.NaN;
    const text = `CPU µs of a new search over ${page.meta.total} dishes`;
    const title = `/items of a restaurant with ${page.meta.total} dishes`;
    return [{ title, rows, goals: [atMost(text, cpu, 150)] }];
  },
};
