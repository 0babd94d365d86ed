import { type Client, createClient } from '../load/client.ts';
import type { Member } from '../processes/service-process.ts';
import { createService, type Service } from './service.ts';

/** A restaurant that the measurements write to. */
export interface Restaurant {
  slug: string;
  headers: Record<string, string>;
  /** A section and a dish of it. */
  sectionId: number;
  dishId: number;
}

/** What a scenario works with. */
export interface Stage {
  service: Service;
  client: Client;
  gateway: Member;
  /** The demo restaurant: 109 dishes and wines in five languages. */
  large: Restaurant;
  /** Generated ones, 20 to 66 dishes each. */
  many: Restaurant[];
  stop(): Promise<void>;
}

const PARALLEL_COMMANDS = 4;

/** Runs `work` for every item, a few at a time. */
async function inParallel<T, R>(items: T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const queue = [...items.entries()];
  const run = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      results[next[0]] = await work(next[1]);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL_COMMANDS }, run));
  return results;
}

/**
 * Plants restaurants in an empty database, starts one gateway and brings every menu into its memory
 * in every language.
 */
export async function startStage(databaseUrl: string, count: number): Promise<Stage> {
  const service = createService(databaseUrl);
  await service.command('migrate');
  await service.command('demo', '--tenants', String(count));
  const tenants = await service.command<{ slug: string }[]>('tenant', 'list');
  const slugs = tenants.map(({ slug }) => slug).filter((slug) => slug !== 'pizzeria');
  const granted = await inParallel(slugs, service.adminHeaders);
  const gateway = await service.startGateway();
  const client = createClient(gateway.port);
  const restaurants = await inParallel(slugs, async (slug): Promise<Restaurant> => {
    for (const locale of ['it', 'en', 'fr', 'de', 'es']) {
      await client.call(slug, { path: `/menu/${locale}` });
    }
    const { data } = JSON.parse((await client.call(slug, { path: '/items?per_page=1' })).text);
    const headers = granted[slugs.indexOf(slug)] as Record<string, string>;
    return { slug, headers, sectionId: data[0].category_id, dishId: data[0].id };
  });
  const [large, ...many] = restaurants;
  if (!large) throw new Error('nothing was planted');
  return {
    service,
    client,
    gateway,
    large,
    many,
    stop: async () => {
      client.close();
      await service.stop();
    },
  };
}
