/** Markers of a JPEG that hold what decoding needs, and nothing about camera, place or owner. */
function isPlainMarker(marker: number): boolean {
  const isFrame = marker >= 0xc0 && marker <= 0xcf;
  // JFIF and Adobe's transform say how colours are stored.
  const isColor = marker === 0xe0 || marker === 0xee;
  return isFrame || isColor || [0xda, 0xdb, 0xdd].includes(marker);
}

/** Where the compressed data behind a scan's head end: at the next marker. */
function scanEnd(content: Buffer, from: number): number {
  let at = from;
  for (;;) {
    at = content.indexOf(0xff, at);
    if (at < 0 || at + 1 >= content.length) return content.length;
    const next = content[at + 1] as number;
    const isData = next === 0 || next === 0xff || (next >= 0xd0 && next <= 0xd7);
    if (!isData) return at;
    at += next === 0xff ? 1 : 2;
  }
}

function isPlainJpeg(content: Buffer): boolean {
  let at = 2;
  while (at + 4 <= content.length) {
    if (content[at] !== 0xff) return false;
    const marker = content[at + 1] as number;
    if (!isPlainMarker(marker)) return false;
    const end = at + 2 + content.readUInt16BE(at + 2);
    at = marker === 0xda ? scanEnd(content, end) : end;
  }
  // Nothing follows the end: phones put further pictures there.
  return at + 2 === content.length && content.readUInt16BE(at) === 0xffd9;
}

const PLAIN_CHUNKS = ['VP8 ', 'VP8L', 'VP8X', 'ALPH'];

function isPlainWebp(content: Buffer): boolean {
  let at = 12;
  while (at + 8 <= content.length) {
    if (!PLAIN_CHUNKS.includes(content.toString('latin1', at, at + 4))) return false;
    const length = content.readUInt32LE(at + 4);
    at += 8 + length + (length % 2);
  }
  return at === content.length;
}

/** Whether a JPEG or WebP holds its picture and nothing else, such as the place where it was taken. */
export function isPlainContent(content: Buffer, format: string): boolean {
  if (format === 'jpeg') return isPlainJpeg(content);
  return format === 'webp' && isPlainWebp(content);
}
