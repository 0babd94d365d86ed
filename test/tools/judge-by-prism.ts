import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { document } from '../support/contract.ts';
import { createClient } from '../support/http.ts';
import { JUDGED_GATEWAY } from '../support/judged-traffic.ts';
import { type Prism, startPrism } from './prism.ts';

/** Tests whose requests go through Prism. */
const TESTS = [
  'test/api/openapi',
  'test/api/records/look-ups.test.ts',
  'test/api/records/resources.test.ts',
  'test/api/records/validation.test.ts',
  'test/api/whole-menu/bulk.test.ts',
  'test/api/whole-menu/import-export.test.ts',
  'test/thorough/answers.test.ts',
  'test/thorough/owners-tables.test.ts',
];

/** Uses Prism with a document, which is written into the folder. */
async function withPrism<T>(
  folder: string,
  judged: object,
  use: (prism: Prism) => Promise<T>,
): Promise<T> {
  const path = join(folder, 'judged.json');
  await writeFile(path, JSON.stringify(judged));
  const prism = await startPrism(path);
  try {
    return await use(prism);
  } finally {
    await prism.stop();
  }
}

/** The document with another type of a field and another value of a header. */
function brokenDocument(): object {
  const faults = [
    ['"Theme":{"type":"object","properties":{"id":{"type":"integer"', 'integer', 'string'],
    ['"const":"nosniff"', 'nosniff', 'sniff'],
  ] as const;
  let text = JSON.stringify(document);
  for (const [place, right, wrong] of faults) {
    assert.ok(text.includes(place), place);
    text = text.replaceAll(place, place.replace(right, wrong));
  }
  return JSON.parse(text);
}

/** Asserts that Prism finds what is wrong in a document: a judge that finds nothing is none. */
async function expectFaults(folder: string, port: number, host: string): Promise<void> {
  const found = await withPrism(folder, brokenDocument(), async (prism) => {
    const headers = { [JUDGED_GATEWAY]: String(port) };
    (await createClient(prism.port, host).get('/theme', headers)).expect(200);
    return prism.violations().join('\n');
  });
  assert.match(found, /response\.body\.data\.id .*string/);
  assert.match(found, /x-content-type-options/);
}

/**
 * Runs tests of the API with Prism between them and their gateways. Returns whether Prism found
 * nothing, after it found the faults of a broken document.
 */
export async function judgeByPrism(folder: string, port: number, host: string): Promise<boolean> {
  await expectFaults(folder, port, host);
  return withPrism(folder, document, async (prism) => {
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const child = spawn(process.execPath, ['--import', 'tsx', 'test/run.ts', ...TESTS], {
      env: { ...env, TEST_JUDGE: String(prism.port) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const output: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
    const [status] = await once(child, 'exit');
    const violations = prism.violations();
    const { judged, passed } = prism.counts();
    const isClean = status === 0 && judged > 0 && violations.length === 0;
    const found = isClean
      ? 'clean'
      : `exit ${status}\n${violations.join('\n')}\n${Buffer.concat(output)}`;
    console.log(`Prism, ${judged} answers, ${passed} not judged: ${found}`);
    return isClean;
  });
}
