import { Worker } from 'node:worker_threads';
import { constants } from '../../db/runtime/constants.ts';
import { broken, type FieldErrors } from '../../db/schema/validation/rule.ts';
import type { Cell } from './numbers.ts';

const BEGINNING = Buffer.from('PK\x03\x04');

/** Whether bytes begin as a workbook of Excel does. */
export function isWorkbook(bytes: Buffer): boolean {
  return bytes.subarray(0, BEGINNING.length).equals(BEGINNING);
}

type Read = { rows: Cell[][] } | { trouble: 'large' | 'long' | 'broken' };

const THREAD = new URL('./workbook-thread.js', import.meta.url);

/** The first sheet of a workbook, read in a thread with bounds of memory and time. */
function readInThread(document: Buffer): Promise<Read> {
  const { maxWorkbookBytes, maxWorkbookFiles, maxTableRows, workbookHeapMb, workbookTime } =
    constants;
  const bytes = new Uint8Array(document);
  const limits = { maxBytes: maxWorkbookBytes, maxFiles: maxWorkbookFiles, maxRows: maxTableRows };
  const thread = new Worker(THREAD, {
    workerData: { bytes, ...limits },
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: workbookHeapMb },
  });
  return new Promise((resolve) => {
    const end = (read: Read) => {
      clearTimeout(timer);
      resolve(read);
      void thread.terminate();
    };
    const timer = setTimeout(() => end({ trouble: 'large' }), workbookTime);
    thread.once('message', end);
    // The thread has used all memory that it may use.
    thread.once('error', () => end({ trouble: 'large' }));
    thread.once('exit', () => end({ trouble: 'broken' }));
  });
}

/** One workbook at a time is read in a process, so that their memory does not add up. */
let last: Promise<unknown> = Promise.resolve();

/** The rows of a workbook's first sheet that has any. */
export async function readWorkbook(
  document: Buffer,
): Promise<{ rows: Cell[][] } | { errors: FieldErrors }> {
  const reading = last.then(() => readInThread(document));
  last = reading;
  const read = await reading;
  if ('rows' in read) return read;
  const rules = {
    large: broken('workbookLarge'),
    long: broken('csvLong', { rows: constants.maxTableRows }),
    broken: broken('noWorkbook'),
  };
  return { errors: { body: [rules[read.trouble]] } };
}
