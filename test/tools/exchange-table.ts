// Writes the table of what each service carries into gateway/EXCHANGE.md.
import { readFile, writeFile } from 'node:fs/promises';
import { exchangeTable, replaceTable } from '../support/exchange-table.ts';

const path = new URL('../../gateway/EXCHANGE.md', import.meta.url);
const text = await readFile(path, 'utf8');
await writeFile(path, replaceTable(text, exchangeTable()));
