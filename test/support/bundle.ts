import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BundleForm } from '../../db/bundle/forms.ts';
import type { Client } from './http.ts';

/** Downloads the menu of a screen without network, with a token of the restaurant. */
export async function downloadBundle(
  client: Client,
  token: string,
  screen: number,
  form: BundleForm,
): Promise<{ bytes: Buffer; headers: Record<string, string> }> {
  const answer = await client.send(`/api/v1/admin/screens/${screen}/bundle?as=${form}`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  assert.equal(answer.status, 200, answer.text.slice(0, 300));
  return { bytes: answer.body, headers: answer.headers };
}

/** A folder that stands for a stick. */
export async function createStick() {
  const folder = await mkdtemp(join(tmpdir(), 'lavagna-stick-'));
  return {
    /** @returns the path of the file */
    put: async (name: string, bytes: Buffer): Promise<string> => {
      const path = join(folder, name);
      await writeFile(path, bytes);
      return path;
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
