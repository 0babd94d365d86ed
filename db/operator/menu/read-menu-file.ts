import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { constants } from '../../runtime/constants.ts';
import { OperatorError } from '../../runtime/operator-error.ts';

const MIB = 1_048_576;

/** A file for an import, with its format by its name. */
export interface MenuFile {
  format: 'json' | 'csv';
  document: Buffer;
}

/** @throws {OperatorError} when the file cannot be read, or is longer than an import may be */
export async function readMenuFile(path: string): Promise<MenuFile> {
  const { maxDocumentBytes } = constants;
  // One byte more than is allowed tells a file that is too long, also where it is a pipe.
  const document = await buffer(createReadStream(path, { end: maxDocumentBytes })).catch(
    (error) => {
      throw new OperatorError(`The file ${path} cannot be read: ${error.message}.`);
    },
  );
  if (document.length > maxDocumentBytes) {
    throw new OperatorError(`The file ${path} is longer than ${maxDocumentBytes / MIB} MiB.`);
  }
  return { format: /\.csv$/i.test(path) ? 'csv' : 'json', document };
}
