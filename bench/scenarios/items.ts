import { cannon, type LoadRequest } from '../load/job.ts';
import { capture } from '../measure/capture.ts';
import type { Finding, Scenario } from '../scenario.ts';
import type { Stage } from '../stage/stage.ts';

const SLUG = 'trattoria';
/** More new queries a second than any gateway answers. */
const NEW_A_SECOND = 30_000;

interface Items {
  data: { name: string; category_id: number }[];
  meta: { total: number };
}

async function readItems(stage: Stage, query: string): Promise<Items> {
  const headers = { Host: stage.host(SLUG) };
  const { body } = await capture(stage.lavagna.gateway.port, `/api/v1/items?${query}`, headers);
  return JSON.parse(body.toString()) as Items;
}

/** The beginnings of the words of the dishes' names: what someone types into a search box. */
function beginnings({ data }: Items): string[] {
  const words = data.flatMap(({ name }) => name.toLowerCase().match(/\p{L}{4,}/gu) ?? []);
  return [...new Set(words.map((word) => word.slice(0, 4)))];
}

/** Dishes filtered and searched: remembered answers, and answers to what nobody asked before. */
export const items: Scenario = {
  name: 'items',
  run: async (stage): Promise<Finding[]> => {
    const { gateway } = stage.lavagna;
    const { seconds } = stage.size;
    const headers = { Host: stage.host(SLUG) };
    const ask = (query: string): LoadRequest => ({ path: `/api/v1/items?${query}`, headers });
    const page = await readItems(stage, 'per_page=100');
    const [dish] = page.data;
    const words = beginnings(page);
    const hot = (query: string) => cannon(gateway.port, [ask(query)], seconds);
    // Two words, and a number that no other request of the run has.
    const unseen = (round: number) => {
      const count = NEW_A_SECOND * Math.ceil(seconds);
      const queries = Array.from({ length: count }, (_, i) => {
        const [first, second] = [words[i % words.length], words[(i * 7 + 3) % words.length]];
        const search = encodeURIComponent(i % 2 === 0 ? `${first}` : `${first} ${second}`);
        return ask(`search=${search}&visit=${round * count + i}`);
      });
      return cannon(gateway.port, queries, seconds);
    };
    const searched = `search=${encodeURIComponent(words[0] ?? '')}`;
    const filtered = `category_id=${dish?.category_id}`;
    const rows = await stage.compare([
      { name: 'filtered by section, hot', server: gateway, job: hot(filtered) },
      { name: 'searched, hot', server: gateway, job: hot(searched) },
      { name: 'searched, never seen before', server: gateway, job: unseen },
    ]);
    const cpu = rows[2]?.cpu.median ?? Number.NaN;
    const text = `CPU µs of a never-seen search over ${page.meta.total} dishes`;
    const title = `/items of a restaurant with ${page.meta.total} dishes`;
    return [{ title, rows, goals: [{ text, measured: cpu, atMost: 150 }] }];
  },
};
