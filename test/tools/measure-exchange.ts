// Prints the CPU that a menu of 4,000 dishes in five languages takes in each format, that of its
// longest step, and the memory.

import { exportAs } from '../../db/exchange/exports.ts';
import { inSlices } from '../../db/runtime/in-slices.ts';
import { jsonInSteps } from '../../db/runtime/write-json.ts';
import { EXPORT_TARGETS, type ExportTarget } from '../../db/schema/exchange-report.ts';
import { defaultsOf } from '../../db/schema/record.ts';
import { records } from '../../db/schema/registry.ts';
import { OUT } from '../support/exchange-menu.ts';

const DISHES = 4_000;
const SECTIONS = 40;
const LANGUAGES = ['it', 'en', 'fr', 'de', 'es'];
const texts = (text: string) =>
  Object.fromEntries(LANGUAGES.map((code) => [code, `${text} ${code}`]));

const menu = {
  settings: {
    ...{ slug: 'grande', name: 'Grande', currency: 'EUR', default_locale: 'it' },
    ...{ fallback_locale: 'it', supported_locales: LANGUAGES, opening_hours: [] },
  },
  categories: Array.from({ length: SECTIONS }, (_, at) => ({
    ...{ ...defaultsOf(records.categories), id: at + 1, name: texts(`Section ${at}`) },
  })),
  items: Array.from({ length: DISHES }, (_, at) => ({
    ...{ ...defaultsOf(records.items), id: at + 1, category_id: (at % SECTIONS) + 1 },
    ...{
      name: texts(`Dish ${at}`),
      description: texts('With tomatoes, basil and olive oil. '.repeat(3)),
    },
    ...{ price: 9.5, allergens: ['latte', 'sedano'], labels: ['vegetarian', 'spicy'], kcal: 420 },
    // Every fourth dish has sizes.
    variants:
      at % 4 === 0 ? [9.5, 14].map((price, size) => ({ label: texts(`Size ${size}`), price })) : [],
  })),
};

/**
 * The least CPU of each step in all runs, in microseconds: collections of garbage come elsewhere each
 * time.
 */
let steps: number[] = [];
let at = 0;

function* timed<T>(work: Generator<void, T>): Generator<void, T> {
  for (;;) {
    const before = process.cpuUsage();
    const step = work.next();
    const { user, system } = process.cpuUsage(before);
    steps[at] = Math.min(steps[at] ?? Number.POSITIVE_INFINITY, user + system);
    at += 1;
    if (step.done) return step.value;
    yield;
  }
}

/** Makes the document with its report, and says what it took. */
async function measure(target: ExportTarget) {
  const copy = structuredClone(menu);
  const cpu = process.cpuUsage();
  at = 0;
  const exported = timed(exportAs(target, copy, OUT));
  const { document, report } = await inSlices(exported);
  const json = await inSlices(timed(jsonInSteps({ document, report })));
  const { user, system } = process.cpuUsage(cpu);
  return { ms: Math.round((user + system) / 1_000), bytes: json.length };
}

/** The first one compiles. */
const RUNS = 4;

for (const target of EXPORT_TARGETS) {
  steps = [];
  for (let run = 1; run < RUNS; run += 1) await measure(target);
  const { ms, bytes } = await measure(target);
  const longest = steps.reduce((most, one) => Math.max(most, one), 0);
  const place = `step ${steps.indexOf(longest)} of ${steps.length}`;
  const heap = Math.round(process.memoryUsage().heapUsed / 1_048_576);
  const wait = (longest / 1_000).toFixed(1);
  console.log(
    `${target}: ${ms} ms of CPU, ${bytes} bytes, longest ${wait} ms (${place}), heap ${heap} MiB`,
  );
}
