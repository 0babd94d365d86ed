import type { Environment } from '../environment.ts';
import { createClient } from '../load/client.ts';
import { timedLoad } from '../load/job.ts';
import { menuOfWords, wordsToType } from '../load/many-words.ts';
import { openRestaurant } from '../load/restaurant.ts';
import { typeIntoSearch } from '../load/typing.ts';
import { sendMenu } from '../load/whole-menus.ts';
import { medianAndRange } from '../measure/median.ts';
import { withFolder } from '../processes/temporary-folder.ts';
import { atMost, costRatio, type Finding } from '../result.ts';
import type { Scenario } from '../scenario.ts';

/** Dishes of a usual restaurant, and of the largest. */
const MENUS = [100, 4_000] as const;
const DISHES_OF_PAGE = 400;
/** More queries a second than any gateway answers. */
const NEW_A_SECOND = 20_000;
const TYPED_WORDS = 6;
/** Times that a search with a slip may cost of one without. */
const TIMES = 3;
const KEYSTROKE_MS = 50;

/** Gives a restaurant a menu of so many dishes. */
async function plant(environment: Environment, slug: string, dishes: number): Promise<void> {
  const { lavagna, progress } = environment;
  progress(`importing ${dishes} dishes`);
  using client = createClient(lavagna.gateway.port);
  const restaurant = await openRestaurant(client, slug);
  const query = '?delete_missing=all';
  await sendMenu(client, restaurant, menuOfWords(dishes), query, `misspelt-${dishes}`);
}

async function searchByApi(
  environment: Environment,
  slug: string,
  dishes: number,
): Promise<Finding> {
  const { seconds } = environment.size;
  const { gateway } = environment.lavagna;
  const headers = { Host: environment.host(slug) };
  const { right, wrong } = wordsToType(500);
  // A number makes each query a new one.
  const search = (words: readonly string[]) => (round: number) => {
    const count = NEW_A_SECOND * seconds;
    const queries = Array.from({ length: count }, (_, at) => {
      const path = `/api/v1/items?search=${words[at % words.length]}&visit=${round * count + at}`;
      return { path, headers };
    });
    return timedLoad(gateway.port, queries, seconds);
  };
  const rows = await environment.compare([
    { name: 'a word of the menu', server: gateway, job: search(right) },
    { name: 'with one wrong letter', server: gateway, job: search(wrong) },
  ]);
  const [exact, forgiven] = rows;
  const ratio = exact && forgiven ? costRatio(forgiven, exact) : Number.NaN;
  const text = `CPU of a search with a slip ÷ one without, ${dishes} dishes`;
  return {
    title: `New searches in ${dishes} dishes`,
    rows,
    goals: [atMost(text, ratio, TIMES)],
  };
}

async function typeInPage(url: string): Promise<Finding> {
  const { right, wrong } = wordsToType(TYPED_WORDS);
  const read = async (name: string, texts: readonly string[]) => {
    const keys = await withFolder('typing', (folder) => typeIntoSearch(url, texts, folder));
    const whole = medianAndRange(keys.map(({ script, layout }) => script + layout));
    const figures = [
      { name: `${name}: script`, unit: 'ms', ...medianAndRange(keys.map((key) => key.script)) },
      { name: `${name}: with layout`, unit: 'ms', ...whole },
    ];
    return { median: whole.median, figures };
  };
  const exact = await read('a key of a word of the menu', right);
  const forgiven = await read('a key of a word with a wrong letter', wrong);
  return {
    title: `Typing into the search of a page with ${DISHES_OF_PAGE} dishes`,
    note: 'Chromium at a quarter of its speed, as on a phone of the lower middle.',
    figures: [...exact.figures, ...forgiven.figures],
    goals: [atMost('ms of a key of a word with a wrong letter', forgiven.median, KEYSTROKE_MS)],
  };
}

/** Searches for words as guests mistype them: by the API, and in the page on a slow phone. */
export const misspelt: Scenario = {
  name: 'misspelt',
  run: async (environment): Promise<Finding[]> => {
    const [, , ...slugs] = environment.slugs;
    const findings: Finding[] = [];
    for (const [at, dishes] of MENUS.entries()) {
      const slug = slugs[at] ?? '';
      await plant(environment, slug, dishes);
      findings.push(await searchByApi(environment, slug, dishes));
    }
    const slug = slugs[MENUS.length] ?? '';
    await plant(environment, slug, DISHES_OF_PAGE);
    const { port } = environment.lavagna.gateway;
    findings.push(await typeInPage(`http://${environment.host(slug)}:${port}/`));
    return findings;
  },
};
