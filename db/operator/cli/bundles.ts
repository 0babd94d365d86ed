import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { announceBundleKey, changeBundleKey, ensureBundleKeys } from '../../actions/bundle-keys.ts';
import { requireTenant } from '../../actions/restaurants.ts';
import { checkBundle } from '../../bundle/check-file.ts';
import { type Refusal, RefusedBundle, readKey } from '../../bundle/verify.js';
import { OperatorError } from '../../runtime/operator-error.ts';
import { described } from '../../schema/validation/described-as.ts';
import { flagArgument, slugArgument } from './arguments.ts';
import { defineCommand, defineLoneCommand, jsonReport } from './command.ts';

/** Why a bundle is refused, for operators. */
const REASONS: Record<Refusal, string> = {
  broken: 'it is no ZIP file, or a damaged one',
  doubled: 'two of its files have the same name',
  path: 'the name of a file leads out of its folder',
  tooLarge: 'its files have more than 50 MB',
  unsigned: 'its manifest or the signature is missing',
  key: 'another key has signed it',
  signature: 'its manifest has been changed since it was signed',
  format: 'its manifest has a form that this version does not know',
  restaurant: 'it is of another restaurant',
  unlisted: 'it has a file that its manifest does not name',
  missing: 'it lacks a file that its manifest names',
  changed: 'a file has been changed since it was signed',
  older: 'it is older than the menu that is shown',
};

const bundleVerify = defineLoneCommand({
  name: 'bundle verify',
  usage: '<file> --key K',
  summary: 'check a menu for screens without network; exit code 1 when it is refused',
  entries: {
    file: described(v.string(), 'a file that ends in .lavagna'),
    key: v.pipe(
      v.string(),
      v.check((text) => readKey(text) !== null, 'must be a public key as minisign writes it'),
      v.description('the public key of the restaurant: `bundle key` and the panel show it'),
    ),
  },
  run: async ({ file, key }) => {
    const bytes = await readFile(file).catch((cause: Error) => {
      throw new OperatorError(`${file} cannot be read: ${cause.message}`);
    });
    try {
      const { manifest } = await checkBundle(bytes, { keys: [key] });
      const { files, ...about } = manifest;
      const is_expired = Date.parse(manifest.expires_at) <= Date.now();
      const is_before_made = Date.now() < Date.parse(manifest.made_at);
      const sum = files.reduce((all, one) => all + one.bytes, 0);
      const counts = { files: files.length, bytes: sum };
      return jsonReport({ valid: true, is_expired, is_before_made, ...about, ...counts });
    } catch (error) {
      if (!(error instanceof RefusedBundle)) throw error;
      const { reason } = error;
      return { ...jsonReport({ valid: false, reason, message: REASONS[reason] }), failed: true };
    }
  },
});

const bundleKey = defineCommand({
  name: 'bundle key',
  usage: '<slug> [--announce | --change]',
  summary: 'show the public key of a restaurant’s bundles, or change it',
  entries: {
    slug: slugArgument,
    announce: flagArgument('make the next key; new bundles tell screens to trust it, too'),
    change: flagArgument('let the next key sign from now on'),
  },
  run: async ({ slug, announce, change }, { database }) => {
    const id = await requireTenant(database, slug);
    if (announce) return announceBundleKey(database, id);
    if (!change) return ensureBundleKeys(database, id);
    const changed = await changeBundleKey(database, id);
    if (!changed) throw new OperatorError(`${slug} has no next key: make one with --announce.`);
    return changed;
  },
});

export const bundleCommands = [bundleVerify, bundleKey];
