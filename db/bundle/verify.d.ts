// See `verify.js`.

export const MANIFEST: string;
export const SIGNATURE: string;
export const MINISIG: string;
export const MINISIGN_KEY_BYTES: number;
export const MAX_UNPACKED: number;

export interface BundleFile {
  path: string;
  bytes: number;
  sha256: string;
}

export interface Manifest {
  format: 1;
  restaurant: string;
  screen: number;
  version: number;
  made_at: string;
  expires_at: string;
  key_id: string;
  next_key?: string;
  files: BundleFile[];
}

export type Refusal =
  | 'broken'
  | 'doubled'
  | 'path'
  | 'tooLarge'
  | 'unsigned'
  | 'key'
  | 'signature'
  | 'format'
  | 'restaurant'
  | 'unlisted'
  | 'missing'
  | 'changed'
  | 'older';

export class RefusedBundle extends Error {
  reason: Refusal;
}

export interface Trust {
  keys: readonly string[];
  restaurant?: string;
  shown?: { version: number; made_at: string } | null;
}

export interface Means {
  list(bytes: Uint8Array): { name: string; size: number; packed: number }[];
  unpack(bytes: Uint8Array): Record<string, Uint8Array>;
  sha256(bytes: Uint8Array): Promise<string>;
  verify(signature: Uint8Array, bytes: Uint8Array, publicKey: Uint8Array): Promise<boolean>;
}

export function readKey(text: string): { id: string; publicKey: Uint8Array } | null;
export function openBundle(
  bytes: Uint8Array,
  trust: Trust,
  means: Means,
): Promise<{ manifest: Manifest; files: Record<string, Uint8Array> }>;
