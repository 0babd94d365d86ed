import * as v from 'valibot';
import { allergens, dishLabels } from './dictionary.ts';
import type { Embed, Field, Reader } from './field.ts';
import { localizedText, nullableReference, requiredLocalizedText } from './kinds.ts';
import { list } from './lists.ts';
import { defaultedInteger, optionalPrice } from './part-kinds.ts';
import { described, describedReference } from './validation/described-as.ts';
import { broken } from './validation/rule.ts';
import { inOrder, textsIn, translationsSchema } from './values/locale.ts';
import { listIn, rowsIn } from './values/row.ts';

// The courses of a set menu. An option is a dish of the menu, or a text.

type Row = Record<string, unknown>;

const MOST_COURSES = 12;
const MOST_OPTIONS = 60;

const optionParts = {
  item_id: nullableReference('items', {
    description: 'The dish that it is; null for a text.',
    onDelete: 'detach',
  }),
  label: localizedText(200, {
    label: 'fields.course.option',
    description:
      'What it is called: the name of its dish, or its own text. Beside a dish only the name of that dish is taken.',
  }),
  surcharge: optionalPrice(
    'What it costs beside the price of the set menu; 0 when it is included.',
  ),
};

const isDish = ({ item_id, item_external_id }: Row) =>
  typeof item_id === 'number' || typeof item_external_id === 'string';

function checkOption(row: Row) {
  const hasText = typeof row.label === 'string' ? row.label : Object.keys(row.label ?? {}).length;
  return isDish(row) || hasText ? null : { part: 'label', broken: broken('required') };
}

const optionList = list(
  optionParts,
  { topic: 'course', min: 1, max: MOST_OPTIONS, check: checkOption },
  'The dishes or texts to choose from.',
);

const shownOptions = v.array(
  v.object({
    item_id: described(v.nullable(v.number()), 'The dish that it is, or null.'),
    label: described(v.string(), 'What it is called, in the requested language.'),
    label_translations: describedReference(
      translationsSchema,
      'The same in every language in which it is written, by language code.',
    ),
    surcharge: described(v.number(), optionParts.surcharge.options.description),
    allergens: described(
      v.array(allergens.keySchema),
      'Keys of the allergens that its dish contains.',
    ),
    traces: described(
      v.array(allergens.keySchema),
      'Keys of the allergens that its dish may contain.',
    ),
    allergens_declared: described(
      v.boolean(),
      'Whether its dish declares its allergens; the set menu speaks for a text.',
    ),
    labels: described(v.array(dishLabels.keySchema), 'Keys of the labels of its dish.'),
    is_sold_out: described(v.boolean(), 'Whether its dish is sold out.'),
  }),
);
type ShownOption = v.InferOutput<typeof shownOptions>[number];

function viewOption(row: Row, read: Reader, embed?: Embed): ShownOption[] {
  const dish = row.item_id === null ? null : (embed?.('items', row.item_id) ?? null);
  // Guests do not see that dish.
  if (row.item_id !== null && dish === null) return [];
  const texts = textsIn(dish ? dish.name_translations : row.label_translations);
  return [
    {
      item_id: row.item_id as number | null,
      label: read(texts),
      label_translations: inOrder(texts),
      surcharge: row.surcharge as number,
      allergens: (dish?.allergens ?? []) as ShownOption['allergens'],
      traces: (dish?.traces ?? []) as ShownOption['traces'],
      allergens_declared: dish?.allergens_declared === true,
      labels: (dish?.labels ?? []) as ShownOption['labels'],
      is_sold_out: dish?.is_sold_out === true,
    },
  ];
}

const courseParts = {
  label: requiredLocalizedText(200, 'What the course is called.'),
  choose: defaultedInteger(1, MOST_OPTIONS, 1, 'How many of the options a guest chooses.'),
  options: {
    ...optionList,
    isRequired: true,
    shown: {
      schema: shownOptions,
      view: (stored: unknown, read: Reader, embed?: Embed) =>
        rowsIn(stored).flatMap((row) => viewOption(row, read, embed)),
    },
  },
};

/** A guest cannot choose more than there is. */
function checkCourse({ choose, options }: Row) {
  const count = listIn(options).length;
  return Number(choose) > count ? { part: 'choose', broken: broken('max', { max: count }) } : null;
}

/** The courses of a set menu at the price of the dish. */
export function courses() {
  const field = list(
    courseParts,
    { topic: 'course', max: MOST_COURSES, check: checkCourse },
    'The courses of a set menu, which has the price of the dish; `[]` for a dish.',
  );
  const options = { ...field.options, onDelete: 'detach' as const };
  return { ...field, options, target: 'items' } satisfies Field;
}
