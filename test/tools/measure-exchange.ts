// Prints the CPU that a menu of 4,000 dishes in five languages takes in each format, that of its
// longest step, and the memory.

import { exportsOf } from '../../db/exchange/exports.ts';
import { constants } from '../../db/runtime/constants.ts';
import { inSlices } from '../../db/runtime/in-slices.ts';
import { jsonInSteps } from '../../db/runtime/write-json.ts';
import { EXPORT_TARGETS } from '../../db/schema/exchange-report.ts';
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

let longest = 0;

/** Notes the CPU of the longest step, in microseconds. */
function* timed<T>(steps: Generator<void, T>): Generator<void, T> {
  for (;;) {
    const before = process.cpuUsage();
    const step = steps.next();
    const { user, system } = process.cpuUsage(before);
    longest = Math.max(longest, user + system);
    if (step.done) return step.value;
    yield;
  }
}

for (const target of EXPORT_TARGETS) {
  // The first run compiles.
  for (const isMeasured of [false, true]) {
    const copy = structuredClone(menu);
    longest = 0;
    const cpu = process.cpuUsage();
    const steps = timed(exportsOf[target](copy, OUT));
    const { document, report } = await inSlices(steps, constants.writeSlice);
    const writing = timed(jsonInSteps({ document, report }));
    const json = await inSlices(writing, constants.writeSlice);
    const { user, system } = process.cpuUsage(cpu);
    if (!isMeasured) continue;
    const ms = Math.round((user + system) / 1_000);
    const wait = (longest / 1_000).toFixed(1);
    const heap = Math.round(process.memoryUsage().heapUsed / 1_048_576);
    console.log(
      `${target}: ${ms} ms of CPU, ${json.length} bytes, longest step ${wait} ms, heap ${heap} MiB`,
    );
  }
}
