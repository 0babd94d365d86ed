import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { runCommand } from '../../db/operator/cli/run-command.ts';

interface CliAnswer {
  code: number;
  stdout: string;
  stderr: string;
  /** Asserts that the command ended with this code; returns its answer. */
  ends(code: number): CliAnswer;
}

/**
 * Runs one of the operators' commands in this process.
 *
 * @param input what comes from standard input, which is no terminal
 */
export async function callCli(
  args: string[],
  env: NodeJS.ProcessEnv,
  input = '',
): Promise<CliAnswer> {
  const output = { stdout: '', stderr: '' };
  const code = await runCommand(args, {
    env,
    input: Readable.from([Buffer.from(input)]),
    out: (text) => {
      output.stdout += text;
    },
    err: (text) => {
      output.stderr += text;
    },
    isErrTerminal: false,
    interrupted: new AbortController().signal,
  });
  const answer: CliAnswer = {
    ...{ code, ...output },
    ends: (wanted) => {
      assert.equal(code, wanted, output.stdout + output.stderr);
      return answer;
    },
  };
  return answer;
}
