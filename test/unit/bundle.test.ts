// The bundles of `test/vectors/bundles/`, which `test/tools/bundle-vectors.ts` makes.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { checkBundle } from '../../db/bundle/check-file.ts';
import { packInSteps } from '../../db/bundle/pack.ts';
import { publicKeyOf } from '../../db/bundle/signing.ts';
import { MANIFEST, MINISIG, readKey } from '../../db/bundle/verify.js';
import { inOneGo } from '../../db/runtime/in-slices.ts';
import { callCli } from '../support/cli.ts';
import { fileFolder } from '../support/folder.ts';

const run = promisify(execFile);
const folder = join(import.meta.dirname, '../vectors/bundles');
const { key, restaurant, shown, results } = JSON.parse(
  await readFile(join(folder, 'results.json'), 'utf8'),
);
const read = (name: string) => readFile(join(folder, `${name}.lavagna`));

/** How a bundle is judged: `opens`, or the reason why it is refused. */
const judge = (bytes: Uint8Array, trust: Parameters<typeof checkBundle>[1]) =>
  checkBundle(bytes, trust).then(
    () => 'opens',
    ({ reason }) => reason,
  );

describe('bundles', () => {
  for (const [name, result] of Object.entries<string>(results)) {
    test(`a bundle is judged as ${result}, for the vector ${name}`, async () => {
      assert.equal(await judge(await read(name), { keys: [key], restaurant, shown }), result);
    });
  }

  test('a screen trusts the next key, once a bundle of the present key has named it', async () => {
    const { manifest } = await checkBundle(await read('next-key'), { keys: [key] });
    assert.ok(manifest.next_key);
    const about = { ...manifest, version: 43 };
    const files = new Map([['screen/it.html', Buffer.from('<!doctype html>')]]);
    const { files: _files, format: _format, key_id: _id, next_key: _next, ...own } = about;
    const secrets = { secret: Buffer.alloc(32, 2), next_secret: null };
    const signed = inOneGo(packInSteps(own, files, secrets));
    assert.equal(await judge(signed, { keys: [key] }), 'key');
    assert.equal(await judge(signed, { keys: [key, manifest.next_key] }), 'opens');
  });

  test('a bundle of the same version is older when it was made earlier', async () => {
    const later = { ...shown, made_at: '2026-11-28T13:00:00Z' };
    assert.equal(await judge(await read('right'), { keys: [key], shown: later }), 'older');
  });

  test('the command `bundle verify` judges a file by its key, without a database', async () => {
    const verify = (name: string, by = key) =>
      callCli(['bundle', 'verify', join(folder, `${name}.lavagna`), '--key', by], {});
    const right = (await verify('right')).ends(0);
    const said = JSON.parse(right.stdout);
    assert.deepEqual([said.valid, said.version, said.is_expired], [true, 42, false]);
    assert.equal(JSON.parse((await verify('expired')).stdout).is_expired, true);
    const altered = await verify('altered-picture');
    assert.deepEqual([altered.code, JSON.parse(altered.stdout).reason], [1, 'changed']);
    assert.equal((await verify('right', 'nonsense')).code, 2);
    assert.equal((await verify('absent')).code, 1);
  });

  test('minisign of the system checks a manifest, where it is installed', async (t) => {
    const there = await run('minisign', ['-v']).then(
      () => true,
      () => false,
    );
    if (!there) return t.skip('minisign is not installed');
    const { files } = await checkBundle(await read('right'), { keys: [key] });
    const own = await fileFolder();
    const file = join(own, MANIFEST);
    await writeFile(file, files[MANIFEST] ?? '');
    await writeFile(join(own, MINISIG), files[MINISIG] ?? '');
    const { stdout } = await run('minisign', ['-V', '-m', file, '-P', key]);
    assert.match(stdout, /Signature and comment signature verified[\s\S]*trattoria, version 42/);
    await writeFile(file, `${files[MANIFEST]} `);
    await assert.rejects(run('minisign', ['-V', '-m', file, '-P', key]));
  });

  test('the id of a key is the one that minisign shows', () => {
    const { id, text } = publicKeyOf(Buffer.alloc(32, 1));
    assert.equal(text, key);
    assert.equal(readKey(text)?.id, id);
  });
});
