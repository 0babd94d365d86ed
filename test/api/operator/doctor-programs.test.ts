// The command doctor: whether this Node can load and run the programs that Lavagna brings.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  checkLibrary,
  checkPhotos,
  KNOWN_BINARIES,
} from '../../../db/operator/doctor/program-checks.ts';
import { libraryBinary, libraryFolder, libraryTrouble } from '../../../db/runtime/http-library.ts';

test('the HTTP library: the tested binary, another build, one that cannot be loaded, and none', async (t) => {
  assert.equal((await checkLibrary()).state, 'good');
  const folder = await mkdtemp(join(tmpdir(), 'lavagna-library-'));
  t.after(() => rm(folder, { recursive: true }));
  const path = join(folder, libraryBinary());
  // Bytes behind its end make another build of it, and it can be loaded all the same.
  const tested = await readFile(join(libraryFolder(), libraryBinary()));
  await writeFile(path, Buffer.concat([tested, Buffer.from('another build')]));
  const other = await checkLibrary(path);
  assert.equal(other.state, 'doubtful');
  assert.match(other.found, /SHA-256 [0-9a-f]{64}\.$/);
  const broken = join(folder, 'broken.node');
  await writeFile(broken, 'no binary');
  const unloaded = await checkLibrary(broken);
  assert.equal(unloaded.state, 'bad');
  assert.match(unloaded.found, /^The HTTP library does not run with Node [^\n]*\.$/);
  assert.equal((await checkLibrary(join(folder, 'none.node'))).state, 'bad');
  for (const [file, digest] of Object.entries(KNOWN_BINARIES)) {
    const bytes = await readFile(join(libraryFolder(), file));
    assert.equal(createHash('sha256').update(bytes).digest('hex'), digest, file);
  }
});

test('the sentence on the HTTP library names a Node that fits the system', () => {
  const on = (modules: string, glibc: string | undefined) =>
    libraryTrouble({ node: '22.12.0', modules, glibc }, 'Error: why');
  assert.match(
    on('127', '2.36'),
    /Node 22\.12\.0 on glibc 2\.36: take Node 20\.20, or a system with/,
  );
  assert.match(on('115', '2.24'), /on glibc 2\.24: take a system with glibc 2\.38/);
  assert.match(on('127', undefined), /needs glibc, which this system lacks/);
  assert.match(on('127', '2.41'), /\(Error: why\): take a Node that gateway\/DEPLOY\.md names/);
});

test('photos: a program that makes none is bad', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'lavagna-photos-'));
  t.after(() => rm(folder, { recursive: true }));
  const program = join(folder, 'program.mjs');
  for (const [text, found] of [
    ['process.exit(1);', /the program ended\.$/],
    [`process.send('no memory'); process.disconnect();`, /no memory\.$/],
  ] as const) {
    await writeFile(program, text);
    const { state, found: said } = await checkPhotos(program);
    assert.equal(state, 'bad');
    assert.match(said, found);
  }
});
