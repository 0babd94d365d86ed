import { commandLine, processTree } from './usage.ts';

/**
 * The processes of the embedded Postgres below `pid` whose titles match; none when Postgres runs
 * elsewhere.
 */
export function postgresPids(pid: number, title = /postgres/): number[] {
  return processTree(pid).filter((each) => {
    const line = commandLine(each).join(' ');
    return /^(\S*\/)?postgres[: ]/.test(line) && title.test(line);
  });
}

/** The server process among the descendants of a process; undefined where none of them is one. */
export function postmasterPid(pid: number): number | undefined {
  return processTree(pid).find((each) => /\/postgres$/.test(commandLine(each)[0] ?? ''));
}
