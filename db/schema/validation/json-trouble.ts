import { type ParseErrorCode, visit } from 'jsonc-parser';
import { type Broken, broken } from './rule.ts';

/** Ends a visit at the first error. */
class Found extends Error {
  readonly offset: number;

  constructor(offset: number) {
    super('found');
    this.offset = offset;
  }
}

/** Where a text stops being JSON, in UTF-16 units; null when the library finds nothing wrong. */
function findError(text: string): number | null {
  const onError = (_code: ParseErrorCode, offset: number) => {
    throw new Found(offset);
  };
  try {
    visit(text, { onError }, { disallowComments: true });
    return null;
  } catch (error) {
    if (error instanceof Found) return error.offset;
    throw error;
  }
}

/** Why a text is no JSON, with the place: line, column and byte, from 1. */
export function jsonTrouble(text: string): Broken {
  const offset = findError(text);
  if (offset === null) return broken('noJson');
  const before = text.slice(0, offset);
  const byte = Buffer.byteLength(before) + 1;
  if (text.slice(offset).trim() === '') return broken('jsonEnds', { byte });
  const line = before.split('\n').length;
  const column = [...before.slice(before.lastIndexOf('\n') + 1)].length + 1;
  return broken('jsonBroken', { line, column, byte });
}
