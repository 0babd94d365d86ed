import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { constants } from '../../../db/runtime/constants.ts';
import type { Panel } from '../../../db/texts/catalogues.ts';
import { NoFormError } from '../form.ts';
import type { PanelRequest } from '../panel-request.ts';
import { isFormId, newFormId } from '../writes/told.ts';
import { readMultipart } from './multipart.ts';

/** A file that is to be imported, and how. */
export interface Upload {
  /** As the file was called; empty for a text that was pasted. */
  fileName: string;
  document: Buffer;
  /** The document as the page carries it on. */
  packed: string;
  format: 'json' | 'csv';
  deleteMissing: boolean;
  formId: string;
}

/** The fields of the form for a file. */
export interface Asked {
  formToken: string;
  /** The tag of the menu whose diff is to be applied; null when the diff is only to be shown. */
  applyTo: string | null;
  upload: Upload | { trouble: FileTrouble };
  deleteMissing: boolean;
}

const MENU_TAG = /^"v\d{1,15}"$/;

const PDF = Buffer.from('%PDF');
/** How ZIP archives begin, which newer spreadsheets are, and older spreadsheets. */
const SHEETS = [Buffer.from('PK\x03\x04'), Buffer.from([0xd0, 0xcf, 0x11, 0xe0])];

/** Why a file is none that an import takes, as far as its beginning tells. */
function troubleOf(document: Buffer): FileTrouble | null {
  if (document.length > constants.maxDocumentBytes) return 'large';
  const begins = (with_: Buffer) => document.subarray(0, with_.length).equals(with_);
  if (begins(PDF)) return 'pdf';
  if (SHEETS.some(begins)) return 'sheet';
  // No text has a zero byte.
  if (document.subarray(0, 65_536).includes(0)) return 'other';
  return document.toString('latin1').trim() === '' ? 'empty' : null;
}

/** Names the trouble with a file that the gateway finds without a worker. */
export type FileTrouble = keyof Panel['fileTrouble'];

/** JSON begins with a brace or a bracket, behind a byte order mark perhaps. */
function formatOf(fileName: string, document: Buffer): 'json' | 'csv' {
  if (/\.json$/i.test(fileName)) return 'json';
  if (/\.csv$/i.test(fileName)) return 'csv';
  const beginning = document
    .subarray(0, 1_024)
    .toString()
    .replace(/^\ufeff/, '')
    .trimStart();
  return /^[{[]/.test(beginning) ? 'json' : 'csv';
}

const compress = promisify(gzip);
const expand = promisify(gunzip);

/** A document as the value of a hidden field: a menu becomes a tenth of its length. */
async function packDocument(document: Buffer): Promise<string> {
  return (await compress(document)).toString('base64url');
}

/** Undoes `packDocument`; null for what it did not make. */
async function unpackDocument(packed: string): Promise<Buffer | null> {
  const bytes = Buffer.from(packed, 'base64url');
  return expand(bytes, { maxOutputLength: constants.maxDocumentBytes }).catch(() => null);
}

interface Given {
  fileName: string;
  document: Buffer;
  packed: string | null;
}

/** The file, else the text that was pasted, else the document that the page has carried on. */
async function readGiven(
  fields: ReadonlyMap<string, string>,
  file: { name: string; bytes: Buffer } | null,
): Promise<Given | { trouble: FileTrouble }> {
  if (file && (file.bytes.length > 0 || file.name !== '')) {
    return { fileName: file.name, document: file.bytes, packed: null };
  }
  const pasted = fields.get('text') ?? '';
  if (pasted.trim() !== '') return { fileName: '', document: Buffer.from(pasted), packed: null };
  const packed = fields.get('document') ?? '';
  if (packed === '') return { trouble: 'none' };
  const document = await unpackDocument(packed);
  return document
    ? { fileName: fields.get('file_name') ?? '', document, packed }
    : { trouble: 'broken' };
}

/** The fields of the form, and the file. */
export async function readAsked(
  fields: ReadonlyMap<string, string>,
  file: { name: string; bytes: Buffer } | null = null,
): Promise<Asked> {
  const deleteMissing = fields.get('delete_missing') === '1';
  const etag = fields.get('etag') ?? '';
  const asked = {
    formToken: fields.get('form_token') ?? '',
    applyTo: fields.get('do') === 'apply' && MENU_TAG.test(etag) ? etag : null,
    deleteMissing,
  };
  const given = await readGiven(fields, file);
  const trouble = 'trouble' in given ? given.trouble : troubleOf(given.document);
  if (trouble || 'trouble' in given) return { ...asked, upload: { trouble: trouble ?? 'none' } };
  const { document, packed } = given;
  const fileName = given.fileName.replace(/\p{Cc}+/gu, ' ').slice(0, 200);
  const formId = fields.get('form_id') ?? '';
  return {
    ...asked,
    upload: {
      ...{ fileName, document, deleteMissing, format: formatOf(fileName, document) },
      packed: packed ?? (await packDocument(document)),
      formId: isFormId(formId) ? formId : newFormId(),
    },
  };
}

/**
 * Reads the form of the page.
 *
 * @throws NoFormError, TooLargeError
 */
export async function readUpload({ context }: Pick<PanelRequest, 'context'>): Promise<Asked> {
  const type = context.headers.get('content-type') ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type)) throw new NoFormError();
  const { fields, file } = await readMultipart(type, await context.body);
  return readAsked(fields, file);
}
