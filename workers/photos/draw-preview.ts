import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import * as fontkit from 'fontkit';
import sharp from 'sharp';
import { LINK_PREVIEW_SIZE, type LinkPreview } from '../../db/schema/photo.ts';

const { width: WIDTH, height: HEIGHT } = LINK_PREVIEW_SIZE;
/** Room for the name, its lines, and the sizes in which it may stand, in pixels. */
const ROOM = { width: 1_000, height: 390 };
const MOST_LINES = 3;
const SIZES = [128, 112, 96, 84, 72, 62, 54, 46];
const LINE_HEIGHT = 1.2;
/** The alphabets in which names are drawn, as the font's files have them. */
const SUBSETS = ['latin', 'latin-ext', 'greek', 'cyrillic'];

const require = createRequire(import.meta.url);

/** The files of one font; each has the signs of an alphabet. */
function openFont(folder: string): fontkit.Font[] {
  const root = dirname(require.resolve(`@fontsource-variable/${folder}/package.json`));
  const files = readdirSync(join(root, 'files'));
  return SUBSETS.map((subset) => `${folder}-${subset}-wght-normal.woff2`)
    .filter((name) => files.includes(name))
    .map((name) => fontkit.create(readFileSync(join(root, 'files', name))) as fontkit.Font);
}

/** A word as outlines, in units of the font. */
interface Word {
  width: number;
  /** Paths with the place where each begins. */
  glyphs: { path: string; x: number }[];
}

/** Null where the font lacks a sign. */
function outline(text: string, fonts: readonly fontkit.Font[]): Word | null {
  const word: Word = { width: 0, glyphs: [] };
  for (const sign of text) {
    const code = sign.codePointAt(0) as number;
    const font = fonts.find((one) => one.hasGlyphForCodePoint(code));
    if (!font) return null;
    const [glyph] = font.glyphsForString(sign);
    if (!glyph) return null;
    const scale = 1_000 / font.unitsPerEm;
    word.glyphs.push({ path: glyph.path.scale(scale).toSVG(), x: word.width });
    word.width += glyph.advanceWidth * scale;
  }
  return word;
}

/** The words in lines that fit into the room at a size; null when they do not. */
function breakLines(words: readonly Word[], space: number, size: number): Word[][] | null {
  const most = (ROOM.width / size) * 1_000;
  const lines: { width: number; words: Word[] }[] = [];
  for (const word of words) {
    if (word.width > most) return null;
    const line = lines.at(-1);
    const width = line ? line.width + space + word.width : 0;
    if (line && width <= most) {
      line.words.push(word);
      line.width = width;
    } else lines.push({ width: word.width, words: [word] });
  }
  const isHigh = lines.length * size * LINE_HEIGHT > ROOM.height;
  return lines.length > MOST_LINES || isHigh ? null : lines.map((line) => line.words);
}

function drawLines(lines: readonly Word[][], space: number, size: number): string {
  const scale = size / 1_000;
  const top = HEIGHT / 2 - (lines.length * size * LINE_HEIGHT) / 2;
  return lines
    .map((words, index) => {
      const gaps = space * (words.length - 1);
      const width = words.reduce((sum, word) => sum + word.width, gaps);
      let x = (WIDTH / scale - width) / 2;
      const baseline = top + size * (index * LINE_HEIGHT + 0.92);
      const paths = words.map((word) => {
        const left = x;
        x += word.width + space;
        return word.glyphs.map(
          (glyph) => `<path transform="translate(${left + glyph.x} 0)" d="${glyph.path}"/>`,
        );
      });
      return `<g transform="translate(0 ${baseline}) scale(${scale} ${-scale})">${paths.flat().join('')}</g>`;
    })
    .join('');
}

/** The name as outlines; empty where the font lacks a sign, or the name is too long. */
function drawName({ name, font }: LinkPreview): string {
  const fonts = openFont(font);
  const words = name
    .normalize('NFC')
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => outline(word, fonts));
  const known = words.filter((word) => word !== null);
  if (known.length < words.length || known.length === 0) return '';
  const space = outline(' ', fonts)?.width ?? 250;
  for (const size of SIZES) {
    const lines = breakLines(known, space, size);
    if (lines) return drawLines(lines, space, size);
  }
  return '';
}

/** A plate, as the icons of home screens have it. */
const PLATE = [170, 112]
  .map(
    (radius, index) =>
      `<circle cx="${WIDTH / 2}" cy="${HEIGHT / 2}" r="${radius}" fill="none" stroke-width="${18 - index * 9}"/>`,
  )
  .join('');

const FRAME = `<rect x="36" y="36" width="${WIDTH - 72}" height="${HEIGHT - 72}" \
fill="none" stroke-width="3" stroke-opacity="0.45"/>`;

/**
 * The name of a restaurant on its colour, as a PNG. Letters are drawn as outlines of the restaurant's
 * font, so that the machine needs no fonts. In place of a name in another alphabet stands a plate.
 */
export function drawPreview(preview: LinkPreview): Promise<Buffer> {
  const { ground, ink } = preview;
  const name = drawName(preview);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
<rect width="100%" height="100%" fill="${ground}"/>
<g stroke="${ink}">${FRAME}${name === '' ? PLATE : ''}</g><g fill="${ink}">${name}</g></svg>`;
  return sharp(Buffer.from(svg)).png({ palette: true, effort: 7 }).toBuffer();
}
