// `TABLES=folder node --import tsx test/run.ts test/tools/tables.ts` imports each table of a folder into
// an empty menu. It prints the table, the questions that it raises, and the dishes that it becomes. A
// table whose name ends with a language, such as `menu-de.csv`, is sent to a house in that language.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sentTables } from '../support/sent-tables.ts';
import { openTableService } from '../support/table-service.ts';

const folder = process.env.TABLES;
if (!folder) throw new Error('TABLES names the folder of the tables.');

const service = await openTableService();
const { dishes, empty, send } = sentTables(() => service);
const print = (line: string) => process.stdout.write(`${line}\n`);
try {
  for (const name of (await readdir(folder)).sort()) {
    if (!/\.(csv|tsv|xlsx)$/.test(name)) continue;
    const language = /-(de|en|ja)\.\w+$/.exec(name)?.[1] ?? (name.includes('kana') ? 'ja' : 'it');
    await empty(language);
    const bytes = await readFile(join(folder, name));
    const isBook = name.endsWith('.xlsx');
    if (!isBook) print(`\n${name}\n${bytes.toString('utf8').trimEnd()}`);
    else print(`\n${name}`);
    const table = isBook ? bytes : bytes.toString('utf8');
    const { status, json } = await send(table, { skip_refused: '1' });
    const data = json.data ?? {};
    const failed = (data.results ?? []).flatMap((one: { errors: Record<string, string[]> }) =>
      Object.values(one.errors).flat(),
    );
    const told = status === 422 ? Object.values(json.errors).flat() : failed;
    for (const text of told) print(`  ${status === 422 ? 'asked' : 'left out'}: ${text}`);
    for (const path of json.meta?.ignored ?? []) print(`  not read: ${path}`);
    for (const [dish, facts] of Object.entries(
      await dishes(({ allergens, is_active, kcal, price_on_request, price_unit }) => ({
        ...(allergens && { allergens }),
        ...(!is_active && { is_active }),
        ...(kcal && { kcal }),
        ...(price_on_request && { price_on_request }),
        ...(price_unit && { price_unit }),
      })),
    )) {
      print(`  → ${dish}: ${JSON.stringify(facts)}`);
    }
  }
} finally {
  await service.stop();
}
