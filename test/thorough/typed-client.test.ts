import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { smallRestaurant } from '../support/admin.ts';
import { document } from '../support/contract.ts';
import { tableService } from '../support/table-service.ts';

const root = resolve(import.meta.dirname, '../..');
const execute = promisify(execFile);

const { gateway, token, folder } = await tableService();

/** Runs a program of Node; its words are part of the error when it fails. */
async function run(...args: string[]): Promise<string> {
  const done = await execute(process.execPath, args, { cwd: root }).catch((error) => {
    throw new Error(`${error.message}\n${error.stdout}`);
  });
  return done.stdout;
}

test('types made from the document by a public generator compile, and a client uses them', async () => {
  const openapi = join(folder, 'openapi.json');
  const types = join(folder, 'api.d.ts');
  await writeFile(openapi, JSON.stringify(document));
  const generator = 'node_modules/openapi-typescript/bin/cli.js';
  await run(
    '--import',
    './test/api/openapi/client/compiler-api.js',
    generator,
    openapi,
    '--output',
    types,
  );

  const project = join(folder, 'tsconfig.json');
  await writeFile(
    project,
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      compilerOptions: {
        lib: ['ES2023', 'DOM'],
        typeRoots: [join(root, 'node_modules/@types')],
        paths: { 'lavagna-api': [types] },
      },
      include: [join(root, 'test/api/openapi/client')],
      exclude: [],
    }),
  );
  await run('node_modules/typescript/bin/tsc', '--project', project);

  const base = `http://${smallRestaurant.slug}.localhost:${gateway.port}/api/v1`;
  const preloads = ['--import', 'tsx', '--import', './test/api/openapi/client/localhost-names.js'];
  const said = await run(...preloads, 'test/api/openapi/client/main.ts', base, token);
  assert.deepEqual(JSON.parse(said), {
    firstSection: 1,
    locale: 'de',
    prices: [11],
    name: 'Tiramisù',
    errors: { 'name.it': ['Il campo name.it è richiesto.'] },
    today: 0,
    accepted: 1,
    status: { created: 201, unknown: 404 },
  });
});
