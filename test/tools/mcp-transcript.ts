// `node --import tsx test/run.ts test/tools/mcp-transcript.ts`: an assistant uses each tool on the demo's
// trattoria, over real HTTP. Prints what it asks and what it is told, as Markdown, for people to read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trattoria } from '../../db/operator/demo/restaurant.ts';
import { issueToken } from '../support/admin.ts';
import { callTool, connectAssistant } from '../support/assistant.ts';
import { startMenuService } from '../support/menu-service.ts';
import { startTestWorker } from '../support/worker.ts';

type Given = Record<string, unknown>;

test('a transcript of the tools for assistants', async () => {
  const service = await startMenuService([trattoria]);
  const worker = await startTestWorker(service.databaseUrl);
  const client = await connectAssistant(service, await issueToken(service.db, service.tenantId));
  const used = new Set<string>();
  const ask = async (name: string, given: Given = {}) => {
    used.add(name);
    const { isError, text } = await callTool(client, name, given);
    const bytes = Buffer.byteLength(text);
    assert.ok(bytes <= 8_192, `${name} answers ${bytes} bytes`);
    const shown = isError ? text : JSON.stringify(JSON.parse(text), null, 1);
    const kind = isError ? 'error' : `${bytes} bytes`;
    console.log(`## ${name} \`${JSON.stringify(given)}\`\n\n${kind}\n\n\`\`\`\n${shown}\n\`\`\`\n`);
    return isError ? {} : JSON.parse(text).data;
  };
  try {
    const { dishes } = await ask('find_dishes', { text: 'gri' });
    const { id, price } = dishes[0];
    await ask('get_dish', { id, fields: ['name', 'price', 'allergens', 'variants'] });
    await ask('get_menu', { locale: 'en' });
    await ask('list_problems');
    await ask('get_statistics', { report: 'overview' });
    const sold = { dishes: [{ id, sold_out_until: 'indefinitely' }] };
    await ask('set_availability', sold);
    await ask('set_availability', { ...sold, dry_run: false });
    const prices = { prices: [{ id, price: price + 1 }] };
    const { tag } = await ask('set_prices', prices);
    const { version } = await ask('set_prices', { ...prices, dry_run: false, tag });
    const change = { dishes: [{ id, allergens: ['latte', 'uova'] }] };
    await ask('change_dishes', change);
    await ask('change_dishes', { ...change, dry_run: false });
    await ask('change_dishes', { ...change, dry_run: false, confirmed_by: 'Ada Rossi' });
    await ask('import_menu', { csv: 'name,category,price\nZuppa del giorno,Primi,9\n' });
    await ask('schedule_release', {
      ...{ name: 'Natale', dishes: [{ id, price: price + 2 }] },
      ...{ starts_at: '2099-12-24T18:00:00+01:00', dry_run: false },
    });
    await ask('get_history');
    await ask('get_history', { version });
    await ask('undo', { version });
    await ask('undo', { version, dry_run: false });
    await ask('get_dish', { id: 2_000_000 });
    await ask('set_prices', { prices: [{ id, price: 1.234 }] });
    const { tools } = await client.listTools();
    assert.deepEqual([...used].sort(), tools.map(({ name }) => name).sort());
  } finally {
    await client.close();
    await worker.stop();
    await service.stop();
  }
});
