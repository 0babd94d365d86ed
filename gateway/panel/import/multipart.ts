import { Readable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { constants } from '../../../db/runtime/constants.ts';
import { NoFormError } from '../form.ts';

/** The fields of a form with a file; all values are bytes, and a name stands for its first value. */
export interface Parts {
  fields: ReadonlyMap<string, string>;
  file: { name: string; bytes: Buffer } | null;
}

/** The parser skips what follows the last allowed part at length: it is stopped there. */
const SLICE = 65_536;
const MAX_PARTS = 16;

function* slices(body: Buffer): Generator<Buffer> {
  for (let at = 0; at < body.length; at += SLICE) yield body.subarray(at, at + SLICE);
}

function createParser(type: string): BusboyInstance {
  const { maxImportFormBytes } = constants;
  try {
    return new Busboy({
      headers: { 'content-type': type },
      limits: {
        ...{ parts: MAX_PARTS, files: 1, headerPairs: 16, headerSize: 4_096, fieldNameSize: 100 },
        ...{ fieldSize: maxImportFormBytes, fileSize: maxImportFormBytes },
      },
    });
  } catch (error) {
    throw new NoFormError(undefined, { cause: error });
  }
}

/**
 * Reads a form of the type `multipart/form-data`.
 *
 * @throws NoFormError
 */
export function readMultipart(type: string, body: Buffer): Promise<Parts> {
  const parser = createParser(type);
  const source = Readable.from(slices(body));
  const fields = new Map<string, string>();
  let file: Parts['file'] = null;
  return new Promise((resolve, reject) => {
    const refuse = (cause?: unknown) => {
      source.destroy();
      reject(new NoFormError(undefined, { cause }));
    };
    parser.on('field', (name, value) => {
      if (!fields.has(name)) fields.set(name, value);
    });
    parser.on('file', (_name, stream, name = '') => {
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.on('end', () => {
        file = { name, bytes: Buffer.concat(pieces) };
      });
      stream.on('error', refuse);
    });
    parser.on('partsLimit', refuse);
    parser.on('error', refuse);
    parser.on('finish', () => resolve({ fields, file }));
    source.pipe(parser);
  });
}
