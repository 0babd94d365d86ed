// A whole menu as one file: the commands `menu export` and `menu import`.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { importMenu } from '../../../db/operator/cli/import-menu.ts';
import { constants } from '../../../db/runtime/constants.ts';
import { callCli } from '../../support/cli.ts';
import { tableService } from '../../support/table-service.ts';
import { startTestWorker } from '../../support/worker.ts';

const service = await tableService({ alone: true });
const { folder } = service;

const menu = (...args: string[]) =>
  callCli(['menu', ...args], { DATABASE_URL: service.databaseUrl });

async function exported() {
  const { code, stdout, stderr } = await menu('export', 'osteria');
  assert.deepEqual([code, stderr], [0, '']);
  return JSON.parse(stdout);
}

/** Imports a document, or a text as a file with that name. */
const importFile = (content: unknown, args: string[] = [], name = 'menu.json') =>
  service.importFile(typeof content === 'string' ? content : JSON.stringify(content), args, name);

const dishNamed = (document: { items: { name: { it: string } }[] }, name: string) =>
  document.items.find((dish) => dish.name.it === name) as unknown as Record<string, unknown>;

const version = async () => {
  const [row] = await service.sql(`select version from tenants where slug = 'osteria'`);
  return Number(row.version);
};

describe('menu export and menu import', () => {
  test('menu export prints the document that GET /admin/export answers', async () => {
    const { data } = (await service.admin.get('/export')).json;
    assert.deepEqual(await exported(), data);
  });

  test('menu import of what was exported changes nothing', async () => {
    const before = await version();
    const { stdout } = (await importFile(await exported())).ends(0);
    assert.match(stdout, /^0 created, 0 updated, \d+ unchanged, 0 deleted, 0 failed; [^\n]*\n$/);
    assert.equal(await version(), before);
  });

  test('menu import --dry-run prints a line for each changed record, and changes nothing', async () => {
    const document = await exported();
    const dish = dishNamed(document, 'Crostini');
    dish.price = 6.5;
    dish.labels = ['vegan'];
    const { stdout } = (await importFile(document, ['--dry-run'])).ends(0);
    const [line, summary] = stdout.split('\n');
    const changes = 'price: 6 → 6.5; labels: [] → ["vegan"]';
    assert.equal(line, `updated items ${dish.id} "${dish.external_id}": ${changes}`);
    const counted = /^0 created, 1 updated, .*; this was a dry run: nothing was changed$/;
    assert.match(summary ?? '', counted);
    assert.equal(dishNamed(await exported(), 'Crostini').price, 6);
  });

  test('menu import applies the file as one version', async () => {
    const document = await exported();
    const [before, changed] = [await version(), ['Olive', 'Crostini', 'Gnocchi']];
    for (const name of changed) dishNamed(document, name).price = 20;
    const { stdout, stderr } = (await importFile(document)).ends(0);
    assert.equal(stdout.match(/^updated items \d+ "[^"]+": price: [\d.]+ → 20$/gm)?.length, 3);
    assert.match(stdout, new RegExp(`; the menu is in version ${before + 1}\n$`));
    assert.match(stderr, /^sent \d+ bytes; waiting for a worker\n$/);
    const after = await exported();
    const prices = changed.map((name) => dishNamed(after, name).price);
    assert.deepEqual(prices, [20, 20, 20]);
  });

  test('menu import --delete-all-missing deletes the records that the file lacks', async () => {
    const document = await exported();
    const gone = dishNamed(document, 'Supplì');
    document.items = document.items.filter((dish: unknown) => dish !== gone);
    assert.match((await importFile(document)).stdout, / 0 deleted, /);
    const { stdout } = (await importFile(document, ['--delete-all-missing'])).ends(0);
    assert.ok(stdout.startsWith(`deleted items ${gone.id} "${gone.external_id}"\n`), stdout);
    assert.equal(dishNamed(await exported(), 'Supplì'), undefined);
  });

  test('menu import takes a table of dishes when the name ends in .csv', async () => {
    const { id } = dishNamed(await exported(), 'Vitovska');
    const table = `id;price;colour\n${id};25,50;red\n`;
    const { stdout } = (await importFile(table, [], 'dishes.CSV')).ends(0);
    const read = 'table: utf-8, separator ";", decimal sign ","; id → id, price → price';
    const updated = `updated items ${id} "[^"]+": price: 24 → 25.5`;
    assert.match(stdout, new RegExp(`^${read}\n${updated}\n`));
    assert.match(
      stdout,
      /^ignored "colour": it has no meaning here; it holds "red"; it might be description_it, /m,
    );
  });

  test('menu import names each error by its path, changes nothing and exits 1', async () => {
    const document = await exported();
    const before = await version();
    const at = document.items.length - 1;
    document.items[0].price = 21;
    document.items[at].price = -1;
    for (const args of [[], ['--dry-run']]) {
      const { stdout } = (await importFile(document, args)).ends(1);
      assert.match(stdout, new RegExp(`^error items.${at}.price: \\S`, 'm'));
      assert.match(stdout, / 1 failed; [^\n]*nothing was changed\n$/);
    }
    assert.equal(await version(), before);
  });

  for (const [what, content] of [
    ['no JSON', '{'],
    ['another format', { format: 'menu/2' }],
    ['no object', []],
    ['an empty file', ''],
  ] as const) {
    test(`menu import of ${what} exits 1 and says so`, async () => {
      const { stdout } = (await importFile(content)).ends(1);
      assert.match(stdout, /^(error \S+: [^\n]+\n)+nothing was changed\n$/);
    });
  }

  test('menu import of a file that is missing or too long is one sentence', async () => {
    const missing = (await menu('import', 'osteria', join(folder, 'none.json'))).ends(1);
    assert.match(missing.stderr, /^The file \S+none\.json cannot be read: ENOENT[^\n]*\n$/);
    const long = (await importFile(' '.repeat(constants.maxDocumentBytes + 1))).ends(1);
    assert.match(long.stderr, /^The file \S+ is longer than 8 MiB\.\n$/);
  });

  test('menu import and menu export of an unknown restaurant are one sentence', async () => {
    const path = join(folder, 'empty.json');
    await writeFile(path, '{}');
    for (const args of [
      ['export', 'nowhere'],
      ['import', 'nowhere', path],
    ]) {
      const { code, stdout, stderr } = await menu(...args);
      assert.deepEqual([code, stdout, stderr], [1, '', 'There is no tenant nowhere.\n']);
    }
  });

  test('an option without a meaning is exit code 2', async () => {
    const { stderr } = (await importFile({}, ['--dry'])).ends(2);
    assert.match(stderr, /--delete-missing: delete the records/);
  });

  test('menu import without a worker says that a worker will do it, and one does', async () => {
    await service.worker.stop();
    const document = await exported();
    dishNamed(document, 'Olive').price = 33;
    const place = { database: service.db, databaseUrl: service.databaseUrl, progress: () => {} };
    const how = { format: 'json', dry_run: false, delete_missing: false } as const;
    const waits = { resultPoll: 1, commandWriteTimeout: 0 };
    const { tenantId } = service;
    await assert.rejects(
      importMenu(place, tenantId, Buffer.from(JSON.stringify(document)), how, waits),
      /^OperatorError: No worker has done the import in 0 s\. It stays in the queue/,
    );
    service.worker = await startTestWorker(service.databaseUrl);
    assert.equal((await importFile({ format: 'lavagna-menu/1' })).code, 0);
    assert.equal(dishNamed(await exported(), 'Olive').price, 33);
  });
});
