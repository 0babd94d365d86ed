import * as v from 'valibot';
import { keysOf } from '../../db/runtime/keys.ts';
import { described } from '../../db/schema/validation/described-as.ts';
import type { FieldErrors } from '../../db/schema/validation/rule.ts';
import { listIn } from '../../db/schema/values/row.ts';
import type { bulkDataSchema } from '../routes/whole-menu/answers.ts';
import type { ApiAnswer, Question } from './ask.ts';
import { changeInWords } from './change-in-words.ts';
import { from, id } from './read-tools.ts';
import { type Answered, errorsText, pageOf, type Shop, ToolError, textUpTo, tool } from './tool.ts';

/** Fields on which a guest's health depends: they are never taken from a guess. */
const ALLERGEN_FIELDS = [
  ...['allergens', 'traces', 'allergens_declared', 'allergen_detail', 'options', 'allergen_info'],
];
/** Labels that say what a dish is free of. */
const FREE_OF = ['gluten_free', 'lactose_free'];

const dryRun = v.optional(
  described(
    v.boolean(),
    'true: say what would change, and change nothing. Show that to the person before you send false.',
  ),
  true,
);
const tag = v.optional(
  textUpTo(
    200,
    'The `tag` of the trial: the change is refused when somebody has changed the menu since.',
  ),
);
const confirmedBy = v.optional(
  v.pipe(
    v.string(),
    v.regex(/^\S.*\S$/),
    v.maxLength(100),
    v.description(
      'The name of the person who has read and confirmed the allergens. Ask for it; never make it up.',
    ),
  ),
);
const moment = v.pipe(v.string(), v.maxLength(40));

/** How each write is tried and done. */
const options = { dry_run: dryRun, tag, from };
const confirmable = { ...options, confirmed_by: confirmedBy };

/** How a write is tried and done. */
type Options = v.InferOutput<v.ObjectSchema<typeof confirmable, undefined>>;

/** A list of some dishes. */
function some<Entry extends v.GenericSchema>(entry: Entry, most: number, description: string) {
  return v.pipe(v.array(entry), v.minLength(1), v.maxLength(most), v.description(description));
}

type BulkData = v.InferOutput<typeof bulkDataSchema>;
type Result = BulkData['results'][number];

/** Explains an answer that is no success. */
function refusal({ status, json }: ApiAnswer): ToolError {
  if (status === 412 || status === 409)
    return new ToolError('Somebody has changed the menu since. Run it again with dry_run true.');
  if (status === 202)
    return new ToolError('It is kept and will be done; look at get_history in a minute.');
  const { codes } = json as { codes?: FieldErrors };
  return new ToolError(codes ? errorsText(codes) : String(json.message ?? `status ${status}`));
}

const SUCCESS = 200;

/** Sends a write and reads what its operations came to. */
async function send({ ask }: Shop, route: string, question: Question) {
  const told = await ask(route, question);
  if (told.status !== SUCCESS) throw refusal(told);
  return { data: told.json.data as BulkData, tag: told.tag, ignored: told.json.meta?.ignored };
}

const labelsIn = (value: unknown) => FREE_OF.filter((one) => listIn(value).includes(one)).join();

/** Whether a change is about what a guest may not eat. */
function touchesAllergens({ changes }: Result): boolean {
  const [before, after] = changes.labels ?? [];
  const isDeclared = keysOf(changes).some((name) => ALLERGEN_FIELDS.includes(name));
  return isDeclared || labelsIn(before) !== labelsIn(after);
}

/**
 * Tries a write, and does it where `dry_run` is false. The trial's tag is the condition of the real run,
 * so that it does what the trial said.
 *
 * @throws ToolError when it fails, or changes allergens and no person has confirmed them
 */
async function write(
  shop: Shop,
  options: Options,
  route: string,
  question: (isDry: boolean) => Question,
): Promise<Answered> {
  const trial = await send(shop, route, { ...question(true), tag: options.tag });
  const failed = trial.data.results.filter(({ outcome }) => outcome === 'failed');
  if (failed.length > 0) {
    const told = failed.slice(0, 10).map((one) => `${one.path}: ${errorsText(one.codes)}`);
    throw new ToolError(`Nothing was changed. ${told.join('. ')}`);
  }
  const changed = trial.data.results.filter(({ outcome }) => outcome !== 'unchanged');
  // Changes that are not listed may be of allergens.
  const mayTouch = trial.data.left_out !== undefined || changed.some(touchesAllergens);
  const needsPerson = mayTouch && options.confirmed_by === undefined;
  const list = changed.map(changeInWords);
  const head = {
    counts: trial.data.counts,
    ...(trial.ignored !== undefined && { ignored: trial.ignored }),
  };
  if (options.dry_run) {
    const needs = needsPerson && { needs: '`confirmed_by`: a person has to confirm the allergens' };
    return pageOf('changes', list, options.from, {
      ...{ dry_run: true, ...head, tag: trial.tag },
      ...needs,
    });
  }
  if (needsPerson)
    throw new ToolError(
      'This changes allergens. Show the changes to a person, and send their name in `confirmed_by`.',
    );
  const confirmedBy = mayTouch ? options.confirmed_by : undefined;
  const asked = { ...question(false), tag: trial.tag ?? undefined, confirmedBy };
  const { data } = await send(shop, route, asked);
  const undo = `undo takes version ${data.version} back`;
  return pageOf('changes', list, 0, { dry_run: false, ...head, version: data.version, undo });
}

function writeBulk(shop: Shop, options: Options, operations: readonly object[]) {
  const question = (isDry: boolean) => ({ body: { operations, dry_run: isDry } });
  return write(shop, options, 'writeBulk', question);
}

const create = (data: object) => ({ resource: 'items', action: 'create', data });
const update = ({ id: dish, ...data }: { id: number }) => {
  return { resource: 'items', action: 'update', id: dish, data };
};

const setAvailability = tool({
  name: 'set_availability',
  title: 'Say what is sold out',
  description:
    'Marks dishes as sold out until a moment, until somebody says otherwise (`indefinitely`), or as on sale (null).',
  scope: 'availability:write',
  input: v.object({
    dishes: some(
      v.object({
        ...{ id, sold_out_until: v.nullable(moment) },
        sold_out_note: v.optional(v.record(v.string(), v.string())),
      }),
      500,
      'Dishes; `sold_out_until` in ISO 8601, `indefinitely`, or null for on sale; `sold_out_note` says why, by language.',
    ),
    ...options,
  }),
  run: ({ dishes, ...options }, shop) => writeBulk(shop, options, dishes.map(update)),
});

const setPrices = tool({
  name: 'set_prices',
  title: 'Set prices',
  description:
    'Sets the prices of dishes that have one price. The sizes of a dish are changed with change_dishes and `variants`.',
  scope: 'menu:write',
  input: v.object({
    prices: some(
      v.object({ id, price: v.pipe(v.number(), v.minValue(0)) }),
      1_000,
      'Dishes with their new prices, in the restaurant’s currency.',
    ),
    ...options,
  }),
  run: ({ prices, ...options }, shop) => writeBulk(shop, options, prices.map(update)),
});

const changeDishes = tool({
  name: 'change_dishes',
  title: 'Change or make dishes',
  description:
    'Changes the fields that are sent of dishes with an `id`, and makes a dish of each entry without one. Field names are those of get_dish; texts are maps of languages.',
  scope: 'menu:write',
  input: v.object({
    dishes: some(
      v.looseObject({ id: v.optional(id) }),
      200,
      'Each with its `id` and the fields to change; without `id` also `name` and `category_id`.',
    ),
    ...confirmable,
  }),
  run: ({ dishes, ...options }, shop) => {
    const operations = dishes.map(({ id: dish, ...data }) =>
      dish === undefined ? create(data) : update({ id: dish, ...data }),
    );
    return writeBulk(shop, options, operations);
  },
});

const importMenu = tool({
  name: 'import_menu',
  title: 'Import a menu or a table',
  description:
    'Imports a menu document (`lavagna-menu/1`) or a table of dishes as CSV text. Records are found by their keys or names; nothing is deleted.',
  scope: 'menu:write',
  input: v.object({
    document: v.optional(described(v.looseObject({}), 'A menu document, as the export gives it.')),
    csv: v.optional(textUpTo(500_000, 'A table with a header.')),
    ...confirmable,
  }),
  run: ({ document, csv, ...options }, shop) => {
    if ((document === undefined) === (csv === undefined))
      throw new ToolError('Send either `document` or `csv`.');
    const sent =
      document !== undefined ? { body: document } : { body: csv ?? '', type: 'text/csv' };
    return write(shop, options, 'importMenu', (isDry) => ({
      ...sent,
      query: { dry_run: isDry ? 1 : 0 },
    }));
  },
});

const scheduleRelease = tool({
  name: 'schedule_release',
  title: 'Change the menu at a moment',
  description: 'Keeps changes of dishes for a moment, and may take them back at another one.',
  scope: 'menu:write',
  input: v.object({
    name: v.pipe(
      v.string(),
      v.minLength(1),
      v.maxLength(100),
      v.description('What people call it.'),
    ),
    dishes: some(
      v.looseObject({ id }),
      200,
      'Dishes, each with its `id` and the fields to change.',
    ),
    starts_at: described(moment, 'When it is published, in ISO 8601 with an offset.'),
    ends_at: v.optional(described(moment, 'When it is taken back.')),
    ...confirmable,
  }),
  run: async ({ name, dishes, starts_at, ends_at, ...options }, shop) => {
    const operations = dishes.map(update);
    const trial = await writeBulk(shop, { ...options, dry_run: true }, operations);
    if (options.dry_run) return { ...trial, head: { ...trial.head, starts_at, ends_at } };
    if (trial.head?.needs !== undefined)
      throw new ToolError(`It needs ${String(trial.head.needs)}.`);
    const { confirmed_by = null } = options;
    const body = { name, operations, starts_at, ends_at: ends_at ?? null, confirmed_by };
    const told = await shop.ask('createRelease', { body });
    if (told.status !== 201) throw refusal(told);
    const { id: releaseId, state } = told.json.data as { id: number; state: string };
    return { ...trial, head: { dry_run: false, release: releaseId, state, starts_at, ends_at } };
  },
});

const undo = tool({
  name: 'undo',
  title: 'Take a version back',
  description:
    'Gives each field that a version changed its value before. get_history shows the versions.',
  scope: 'menu:write',
  input: v.object({
    version: described(id, 'The version.'),
    ...confirmable,
  }),
  run: ({ version, ...options }, shop) =>
    write(shop, options, 'undoVersion', (isDry) => ({ param: version, body: { dry_run: isDry } })),
});

export const writeTools = [
  setAvailability,
  setPrices,
  changeDishes,
  importMenu,
  scheduleRelease,
  undo,
];
