// The operators' CLI: a JSON document or a report on stdout, everything else on stderr.
import { endWithoutOutput } from '../../runtime/output.ts';
import { stopOnSignal } from '../../runtime/running.ts';
import { runCommand } from './run-command.ts';

endWithoutOutput();
const interrupted = new AbortController();
stopOnSignal(async () => interrupted.abort());

process.exitCode = await runCommand(process.argv.slice(2), {
  env: process.env,
  input: process.stdin,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  isErrTerminal: process.stderr.isTTY,
  interrupted: interrupted.signal,
});
