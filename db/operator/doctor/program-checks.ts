import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { assertHttpLibrary, libraryBinary, libraryFolder } from '../../runtime/http-library.ts';
import { OperatorError } from '../../runtime/operator-error.ts';
import { bad, type Check, doubtful, good } from './check.ts';

const LIBRARY = 'http library';

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

/**
 * Whether this Node can load the HTTP library's binary, and whether that is the one that this version
 * of Lavagna was tested with.
 *
 * @param path of the binary
 */
export async function checkLibrary(path = join(libraryFolder(), libraryBinary())): Promise<Check> {
  const file = basename(path);
  const bytes = await readFile(path).catch(() => undefined);
  if (bytes === undefined) {
    const found = `There is no ${file}: the library has no binary for this Node and processor.`;
    return bad(LIBRARY, found, 'Take a Node that DEPLOY names under Requirements.');
  }
  try {
    assertHttpLibrary(path);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return bad(LIBRARY, error.message, 'Until then no gateway starts.');
  }
  const digest = createHash('sha256').update(bytes).digest('hex');
  if (digest === KNOWN_BINARIES[file]) return good(LIBRARY, `${file} is the one that was tested.`);
  const found = `${file} is another build than the one that was tested: SHA-256 ${digest}.`;
  return doubtful(LIBRARY, found, 'Run npm ci, unless you put it there: see SECURITY.');
}

const photoTrial = fileURLToPath(new URL('../../../workers/photos/try-photo.ts', import.meta.url));

/** Whether workers can make photos here: one is made as they do it, in a process of its own. */
export async function checkPhotos(program = photoTrial): Promise<Check> {
  const child = fork(program, { stdio: 'ignore' });
  const [[message]] = await Promise.all([
    Promise.race([once(child, 'message'), once(child, 'exit')]),
    once(child, 'exit'),
  ]);
  if (message === 'made') return good('photos', 'A photo was made.');
  const found = `A photo could not be made: ${typeof message === 'string' ? message : 'the program ended'}.`;
  const advice = 'Uploads fail until then: see whether prlimit is installed and memory is free.';
  return bad('photos', found, advice);
}
