import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { bad, type Check, doubtful, good } from './check.ts';

const NAME = 'http library';

/**
 * SHA-256 of the HTTP library's binaries for Linux that `package-lock.json` pins, by the file's name:
 * processor and version of Node's binary interface. SECURITY says whose build they are.
 */
export const KNOWN_BINARIES: Readonly<Record<string, string>> = {
  'uws_linux_arm64_115.node': '034e0fcccdc08f90df3b130f421516311831b1352fe38eab91abc2984c2fdf3a',
  'uws_linux_arm64_127.node': 'a7d9bc3ec166421a49416d5ea4f49118ae68ea1dbf8a765c4f45a79b0b6adb13',
  'uws_linux_arm64_137.node': 'b6eb007d627e00bcce03ad38f197124e9027c03f6fe784b37f97b8a6ea709cb4',
  'uws_linux_arm_115.node': '4966e43e7620aba56bccfa54f784fd8a9e3816a19e561d211dc40ae9e9097e35',
  'uws_linux_x64_115.node': 'f4fa5d7b697529b45ac8aa3d57385d9af51bc1d2b26aa9f5b68ca4361542e665',
  'uws_linux_x64_127.node': '78e38a9a163b1cf33ce539619e5908111dea95a12e7943d95fbcdd524879caa8',
  'uws_linux_x64_137.node': '3b549c14e01d9d1faf234cdf4b6f0fb08158605e3692cd0eb1b905e327bd3449',
};

/** The binary that this Node loads. */
function binaryName(): string {
  return `uws_${process.platform}_${process.arch}_${process.versions.modules}.node`;
}

/** The folder of the package `uWebSockets.js`. */
export function libraryFolder(): string {
  return dirname(createRequire(import.meta.url).resolve('uWebSockets.js'));
}

/**
 * Whether the HTTP library's binary is the one that this version of Lavagna was tested with.
 *
 * @param folder of the package
 */
export async function checkLibrary(folder = libraryFolder(), file = binaryName()): Promise<Check> {
  const bytes = await readFile(join(folder, file)).catch(() => undefined);
  if (bytes === undefined) {
    const found = `There is no ${file}: the library has no binary for this Node and processor.`;
    return bad(NAME, found, 'Take a Node that DEPLOY names under Requirements.');
  }
  const digest = createHash('sha256').update(bytes).digest('hex');
  if (digest === KNOWN_BINARIES[file]) return good(NAME, `${file} is the one that was tested.`);
  const found = `${file} is another build than the one that was tested: SHA-256 ${digest}.`;
  return doubtful(NAME, found, 'Run npm ci, unless you put it there: see SECURITY.');
}
