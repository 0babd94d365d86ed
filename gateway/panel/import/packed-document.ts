import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { constants } from '../../../db/runtime/constants.ts';

const compress = promisify(gzip);
const expand = promisify(gunzip);

/** A document as the value of a hidden field: a menu becomes a tenth of its length. */
export async function packDocument(document: Buffer): Promise<string> {
  return (await compress(document)).toString('base64url');
}

/** Undoes `packDocument`; null for what it did not make. */
export async function unpackDocument(packed: string): Promise<Buffer | null> {
  const bytes = Buffer.from(packed, 'base64url');
  return expand(bytes, { maxOutputLength: constants.maxDocumentBytes }).catch(() => null);
}
