import { pageAssets } from '../display/assets.ts';
import { themeSheet } from '../display/page.ts';
import type { Asset } from '../http/asset.ts';
import type { LoadedSnapshot } from '../snapshots/loaded-snapshot.ts';
import { fontAssets } from '../theme/own-fonts.ts';

/** Files by the paths under which documents name them. */
export type DocumentFiles = ReadonlyMap<string, Uint8Array>;

const NAMED = /"(\/display\/[^"]+\/([^"/]+\.(?:css|js)))"/g;
const FACE = /url\('(\/display\/([^'/]+)\/([^']+\.woff2))'\)[^}]*unicode-range: ([^;}]*)/g;

function bytesOf(asset: Asset, version = asset.version): Uint8Array {
  const { body } = asset.read(version).identity;
  return ArrayBuffer.isView(body) ? body : (body?.join() ?? Buffer.of());
}

/** The bounds of a `unicode-range`. */
function rangesOf(text: string): [from: number, to: number][] {
  return [...text.matchAll(/U\+([0-9A-F]+)(?:-([0-9A-F]+))?/gi)].map(([, from = '', to = from]) => [
    Number.parseInt(from, 16),
    Number.parseInt(to, 16),
  ]);
}

/** The fonts of a theme that some sign of the texts needs. */
function* fontsFor(theme: string, signs: ReadonlySet<number>) {
  for (const [, path = '', version = '', file = '', range = ''] of theme.matchAll(FACE)) {
    const ranges = rangesOf(range);
    const isNeeded = [...signs].some((sign) =>
      ranges.some(([from, to]) => from <= sign && sign <= to),
    );
    const asset = isNeeded ? fontAssets.get(file) : undefined;
    if (asset) yield [path, bytesOf(asset, version)] as const;
  }
}

/** The stylesheets, scripts and fonts that documents of one restaurant name. */
export function* filesOf(
  snapshot: LoadedSnapshot,
  documents: Iterable<string>,
): Generator<void, Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  const theme = themeSheet(snapshot);
  const signs = new Set<number>();
  for (const text of documents) {
    for (const [, path = '', name = ''] of text.matchAll(NAMED)) {
      const asset = name === 'theme.css' ? theme : pageAssets.get(name);
      if (asset && !files.has(path)) files.set(path, bytesOf(asset));
      yield;
    }
    for (const sign of text) signs.add(sign.codePointAt(0) ?? 0);
    yield;
  }
  const css = Buffer.from(bytesOf(theme)).toString();
  for (const [path, content] of fontsFor(css, signs)) files.set(path, content);
  return files;
}
