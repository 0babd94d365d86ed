import type { PhotoFormat } from './photo.ts';

/** Reasons why bytes are no photo that is taken. */
export type PhotoProblem =
  | 'photoType'
  | 'photoHeic'
  | 'photoAnimated'
  | 'photoBroken'
  | 'photoPixels'
  | 'photoAvif'
  | 'photoQuota';

/** The type of an upload by its first bytes, or the reason why it is refused. */
type Sniffed = { type: PhotoFormat | 'png' } | { problem: PhotoProblem };

const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** Chunks of a PNG before its pixels; more of them are no picture of a camera or a drawing program. */
const MAX_CHUNKS = 1_000;
const HEIC_BRANDS = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1'];
const WEBP_ANIMATION = 0x02;

const ascii = (content: Buffer, start: number, end: number) =>
  content.toString('latin1', start, end);

/** An animated PNG says so before its pixels begin. */
function sniffPng(content: Buffer): Sniffed {
  let at = PNG.length;
  for (let chunks = 0; chunks < MAX_CHUNKS && at + 8 <= content.length; chunks += 1) {
    const name = ascii(content, at + 4, at + 8);
    if (name === 'acTL') return { problem: 'photoAnimated' };
    if (name === 'IDAT') return { type: 'png' };
    at += 12 + content.readUInt32BE(at);
  }
  return { problem: 'photoBroken' };
}

function sniffWebp(content: Buffer): Sniffed {
  const isExtended = ascii(content, 12, 16) === 'VP8X';
  const isAnimated = isExtended && ((content[20] ?? 0) & WEBP_ANIMATION) !== 0;
  return isAnimated ? { problem: 'photoAnimated' } : { type: 'webp' };
}

/** AVIF and HEIC share a container: its brands tell them apart. */
function sniffContainer(content: Buffer): Sniffed {
  const end = Math.min(content.readUInt32BE(0), content.length, 256);
  const brands: string[] = [];
  for (let at = 8; at + 4 <= end; at += at === 8 ? 8 : 4) brands.push(ascii(content, at, at + 4));
  if (brands[0] === 'avis') return { problem: 'photoAnimated' };
  if (brands.includes('avif')) return { type: 'avif' };
  return { problem: brands.some((one) => HEIC_BRANDS.includes(one)) ? 'photoHeic' : 'photoType' };
}

/** Tells the type of an upload by its content; nothing is decoded. */
export function sniffPhoto(content: Buffer): Sniffed {
  if (content.length >= 3 && content.readUIntBE(0, 3) === 0xffd8ff) return { type: 'jpeg' };
  if (content.subarray(0, PNG.length).equals(PNG)) return sniffPng(content);
  if (content.length >= 21 && ascii(content, 0, 4) === 'RIFF' && ascii(content, 8, 12) === 'WEBP') {
    return sniffWebp(content);
  }
  if (content.length >= 12 && ascii(content, 4, 8) === 'ftyp') return sniffContainer(content);
  return { problem: ascii(content, 0, 4) === 'GIF8' ? 'photoAnimated' : 'photoType' };
}
