import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { OperatorError } from './operator-error.ts';

/** A Node and its system, as far as the HTTP library's binaries differ by them. */
interface Runtime {
  /** The version of Node, such as `22.12.0`. */
  node: string;
  /** The version of Node's binary interface. */
  modules: string;
  /** The version of the C library; undefined where it is another one. */
  glibc: string | undefined;
}

/** The oldest glibc for the binaries of newer Nodes than 20, and for that of Node 20. */
const NEEDED_GLIBC = { newer: 38, node20: 27 };
const NODE_20 = '115';

function runtimeOfThis(): Runtime {
  const { node, modules } = process.versions;
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  return { node, modules, glibc: report.header?.glibcVersionRuntime };
}

/**
 * Why the library cannot be loaded, in a sentence that says which Node fits.
 *
 * @param reason of the loader, for a case that we do not know
 */
export function libraryTrouble({ node, modules, glibc }: Runtime, reason: string): string {
  const subject = `The HTTP library does not run with Node ${node}`;
  if (glibc === undefined) return `${subject} here: it needs glibc, which this system lacks.`;
  const minor = Number(glibc.split('.')[1]);
  const needed = modules === NODE_20 ? NEEDED_GLIBC.node20 : NEEDED_GLIBC.newer;
  if (minor >= needed) {
    return `${subject} (${reason}): take a Node that gateway/DEPLOY.md names under "Which Node".`;
  }
  const node20 = minor >= NEEDED_GLIBC.node20 ? 'take Node 20.20, or ' : 'take ';
  return (
    `${subject} on glibc ${glibc}: ${node20}a system with glibc 2.38 or later, ` +
    'such as Debian 13 or Ubuntu 24.04.'
  );
}

export function libraryFolder(): string {
  return dirname(createRequire(import.meta.url).resolve('uWebSockets.js'));
}

/** The file of its binary that this Node loads. */
export function libraryBinary(): string {
  return `uws_${process.platform}_${process.arch}_${process.versions.modules}.node`;
}

/**
 * Loads the binary that this Node takes.
 *
 * @throws {OperatorError} when it cannot, with a sentence that says which Node can
 */
export function assertHttpLibrary(path = join(libraryFolder(), libraryBinary())): void {
  try {
    createRequire(import.meta.url)(path);
  } catch (cause) {
    const [reason = ''] = String(cause).split('\n');
    throw new OperatorError(libraryTrouble(runtimeOfThis(), reason), { cause });
  }
}
