// Writes lines into a file that may not become longer than 400 bytes, and one when it may.
import { execFileSync } from 'node:child_process';
import { writeOut } from '../../db/runtime/output.ts';

function allowLength(bytes: string): void {
  execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:unlimited`]);
}

allowLength('400');
for (const letter of 'abc') writeOut(`${letter.repeat(299)}\n`);
allowLength('unlimited');
writeOut('d\n');
