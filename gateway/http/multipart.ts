import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { constants } from '../../db/runtime/constants.ts';
import { NoFormError } from './errors.ts';

export interface FormFile {
  /** The name of its field. */
  field: string;
  /** As the file is called. */
  name: string;
  bytes: Buffer;
}

/** The fields of a form with files; all values are bytes, and a name stands for its first value. */
export interface Parts {
  fields: ReadonlyMap<string, string>;
  /** All values of each field. */
  values: ReadonlyMap<string, readonly string[]>;
  /** In their order. */
  files: readonly FormFile[];
}

/**
 * Bytes that are parsed in one turn of the event loop; the shortest part takes some fifty. The parser
 * skips what follows the last allowed part at length: it is stopped there.
 */
const SLICE = 8_192;
/** Parts that a form may have. */
export interface PartBounds {
  fields: number;
  files: number;
}

async function* slices(body: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < body.length; at += SLICE) {
    yield body.subarray(at, at + SLICE);
    await nextTurn();
  }
}

function createParser(type: string, { fields, files }: PartBounds): BusboyInstance {
  const { maxImportFormBytes: most } = constants;
  try {
    return new Busboy({
      headers: { 'content-type': type },
      limits: {
        ...{
          parts: fields + files,
          files,
          headerPairs: 16,
          headerSize: 4_096,
          fieldNameSize: 100,
        },
        ...{ fieldSize: most, fileSize: Math.max(most, constants.maxPhotoFormBytes) },
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
export function readMultipart(type: string, body: Buffer, bounds: PartBounds): Promise<Parts> {
  const parser = createParser(type, bounds);
  const source = Readable.from(slices(body));
  const fields = new Map<string, string>();
  const values = new Map<string, string[]>();
  const files: FormFile[] = [];
  return new Promise((resolve, reject) => {
    const refuse = (cause?: unknown) => {
      source.destroy();
      reject(new NoFormError(undefined, { cause }));
    };
    parser.on('field', (name, value) => {
      if (!fields.has(name)) fields.set(name, value);
      const known = values.get(name);
      if (known) known.push(value);
      else values.set(name, [value]);
    });
    parser.on('file', (field, stream, name = '') => {
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.on('end', () => {
        files.push({ field, name, bytes: Buffer.concat(pieces) });
      });
      stream.on('error', refuse);
    });
    parser.on('partsLimit', refuse);
    parser.on('error', refuse);
    parser.on('finish', () => resolve({ fields, values, files }));
    source.pipe(parser);
  });
}
