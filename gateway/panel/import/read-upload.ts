import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { constants } from '../../../db/runtime/constants.ts';
import { type ImportFormat, isImportFormat } from '../../../db/schema/exchange-report.ts';
import { type AskedTable, MAX_COLUMNS } from '../../../db/schema/table.ts';
import type { Panel } from '../../../db/texts/catalogues.ts';
import type { Parts } from '../../http/multipart.ts';
import type { RestaurantContext } from '../../pipeline/route.ts';
import { formIdOf, readParts } from '../form.ts';
import type { PanelRequest } from '../panel-request.ts';

import { carriedChoices, MOST_CELLS, MOST_SIGNS, readTableChoices } from './table-choices.ts';

type Claim = RestaurantContext['claim'];

/** A file that is to be imported, and how. */
export interface ImportUpload {
  /** As the file was called; empty for a text that was pasted. */
  fileName: string;
  document: Buffer;
  /** The document as the page carries it on. */
  packed: string;
  format: 'json' | 'csv';
  /** The service whose document it is; null for a menu of Lavagna or a table. */
  service: ImportFormat | null;
  table: AskedTable;
  deleteMissing: boolean;
  /** Whether existing dishes change in their prices alone. */
  onlyPrices: boolean;
  /** Whether records that break rules are left out. */
  skipsRefused: boolean;
  formId: string;
}

/** The fields of the form for a file. */
export interface Asked {
  formToken: string;
  /** The tag of the menu whose diff is to be applied; null when the diff is only to be shown. */
  applyTo: string | null;
  upload: ImportUpload | { trouble: FileTrouble };
  pasted: string;
  deleteMissing: boolean;
  onlyPrices: boolean;
}

/** The fields of the form: for each column, two for each sign, and three for each corrected cell. */
export const IMPORT_PARTS = {
  fields: 25 + MAX_COLUMNS + 2 * MOST_SIGNS + 3 * MOST_CELLS,
  files: 1,
};

const MENU_TAG = /^"v\d{1,15}"$/;

const PDF = Buffer.from('%PDF');
/** How ZIP archives begin, which newer workbooks are, and older workbooks. */
const WORKBOOK = Buffer.from('PK\x03\x04');
const OLD_WORKBOOK = Buffer.from([0xd0, 0xcf, 0x11, 0xe0]);

/** Whether bytes hold no sign in any encoding; they are read until the first one. */
function isBlank(document: Buffer): boolean {
  const blanks = new Set([0, 9, 10, 11, 12, 13, 32]);
  return document.every((byte) => blanks.has(byte));
}

/** Why a file is none that an import takes, as far as its beginning tells. */
function troubleOf(document: Buffer): FileTrouble | null {
  if (document.length > constants.maxDocumentBytes) return 'large';
  const begins = (with_: Buffer) => document.subarray(0, with_.length).equals(with_);
  if (begins(PDF)) return 'pdf';
  if (begins(OLD_WORKBOOK)) return 'sheet';
  return isBlank(document) ? 'empty' : null;
}

/** Names the trouble with a file that the gateway finds without a worker. */
export type FileTrouble = keyof Panel['fileTrouble'];

function serviceOf(fields: Parts['fields']): ImportFormat | null {
  const service = fields.get('service');
  return isImportFormat(service) ? service : null;
}

/** JSON begins with a brace or a bracket, behind a byte order mark perhaps. */
function formatOf(fileName: string, document: Buffer): 'json' | 'csv' {
  if (document.subarray(0, WORKBOOK.length).equals(WORKBOOK)) return 'csv';
  if (/\.json$/i.test(fileName)) return 'json';
  if (/\.(csv|tsv|tab|txt)$/i.test(fileName)) return 'csv';
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

/** The shortest file of gzip, in bytes, and where it says how long its content is. */
const LEAST_PACKED = 20;
const LENGTH_BYTES = 4;

/**
 * Undoes `packDocument`; null for what it did not make.
 *
 * @param claim as of `Request`
 */
async function unpackDocument(packed: string, claim: Claim): Promise<Buffer | null> {
  const bytes = Buffer.from(packed, 'base64url');
  if (bytes.length < LEAST_PACKED) return null;
  const length = bytes.readUInt32LE(bytes.length - LENGTH_BYTES);
  if (length === 0 || length > constants.maxDocumentBytes) return null;
  claim(length);
  return expand(bytes, { maxOutputLength: length }).catch(() => null);
}

/** A file as it came: its bytes, or what an earlier page made of them. */
type Given = { fileName: string } & ({ bytes: Buffer } | { packed: string });

/** The file or the text that was pasted, else the document that the page has carried on. */
function findGiven({ fields, files: [file] }: Parts): Given | { trouble: 'none' | 'both' } {
  const pasted = fields.get('text') ?? '';
  const isPasted = pasted.trim() !== '';
  if (file && (file.bytes.length > 0 || file.name !== '')) {
    return isPasted ? { trouble: 'both' } : { fileName: file.name, bytes: file.bytes };
  }
  if (isPasted) return { fileName: '', bytes: Buffer.from(pasted) };
  const packed = fields.get('document') ?? '';
  if (packed === '') return { trouble: 'none' };
  return { fileName: fields.get('file_name') ?? '', packed };
}

const PACKED = /^[\w-]+$/;

/**
 * A form's file as the fields of another form bring it on; null when there is none. Of what an earlier
 * page has packed nothing is unpacked: anybody may send it.
 */
export async function carryOn(parts: Parts): Promise<Record<string, string> | null> {
  const given = findGiven(parts);
  if ('trouble' in given) return null;
  if ('bytes' in given && troubleOf(given.bytes)) return null;
  const document = 'packed' in given ? given.packed : await packDocument(given.bytes);
  if (!PACKED.test(document)) return null;
  const delete_missing = parts.fields.get('delete_missing') === '1' ? '1' : '0';
  const only_prices = parts.fields.get('only_prices') === '1' ? '1' : '0';
  const choices = carriedChoices(readTableChoices(parts.fields));
  return {
    document,
    file_name: shortName(given.fileName),
    service: serviceOf(parts.fields) ?? '',
    delete_missing,
    only_prices,
    ...choices,
  };
}

function shortName(fileName: string): string {
  return fileName.replace(/\p{Cc}+/gu, ' ').slice(0, 200);
}

/**
 * The fields of the form, and the file.
 *
 * @param claim as of `Request`
 * @throws CrowdedError
 */
export async function readUploadedImport(parts: Parts, claim: Claim): Promise<Asked> {
  const { fields } = parts;
  const deleteMissing = fields.get('delete_missing') === '1';
  const onlyPrices = fields.get('only_prices') === '1';
  const does = fields.get('do') ?? '';
  const etag = fields.get('etag') ?? '';
  const asked = {
    formToken: fields.get('form_token') ?? '',
    applyTo: /^apply(-rest)?$/.test(does) && MENU_TAG.test(etag) ? etag : null,
    deleteMissing,
    onlyPrices,
    pasted: fields.get('text') ?? '',
  };
  const given = findGiven(parts);
  if ('trouble' in given) return { ...asked, upload: given };
  const document = 'bytes' in given ? given.bytes : await unpackDocument(given.packed, claim);
  const trouble = document ? troubleOf(document) : 'broken';
  if (!document || trouble) return { ...asked, upload: { trouble: trouble ?? 'broken' } };
  const fileName = shortName(given.fileName);
  const formId = fields.get('form_id') ?? '';
  return {
    ...asked,
    upload: {
      ...{ fileName, document, deleteMissing, onlyPrices, skipsRefused: does === 'apply-rest' },
      format: formatOf(fileName, document),
      service: serviceOf(fields),
      packed: 'packed' in given ? given.packed : await packDocument(document),
      table: readTableChoices(fields),
      formId: formIdOf(formId),
    },
  };
}

/**
 * Reads the form of the page.
 *
 * @throws NoFormError, TooLargeError, CrowdedError
 */
export async function readUpload({ context }: Pick<PanelRequest, 'context'>): Promise<Asked> {
  return readUploadedImport(await readParts(context, IMPORT_PARTS), context.claim);
}
