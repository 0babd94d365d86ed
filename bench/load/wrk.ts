import { execFile, spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withFolder } from '../processes/temporary-folder.ts';
import type { LoadReport, LoadRequest, RequestsJob } from './job.ts';

/** The script's last line; times are in microseconds. */
interface Printed {
  requests: number;
  duration: number;
  p50: number;
  p99: number;
  p999: number;
  /** Requests without an answer. */
  failed: number;
  /** Answers with a status of 400 and above. */
  refused: number;
}

const script = join(import.meta.dirname, 'wrk.lua');

export const hasWrk = spawnSync('wrk', ['--version']).error === undefined;

function bytesOf({ method = 'GET', path, headers, body = '' }: LoadRequest): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  if (body !== '') lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
  return [`${method} ${path} HTTP/1.1`, ...lines, '', body].join('\r\n');
}

/** The requests in the form in which the script reads them. */
function fileOf(requests: readonly LoadRequest[]): string {
  return requests
    .map(bytesOf)
    .map((text) => `${Buffer.byteLength(text)}\n${text}\n`)
    .join('');
}

/**
 * Runs wrk for whole seconds. wrk counts only statuses of 400 and above as errors.
 *
 * @throws when a request fails or is refused
 */
export function runWrk(job: RequestsJob & { seconds: number }): Promise<LoadReport> {
  return withFolder('wrk', async (folder) => {
    const file = join(folder, 'requests');
    await writeFile(file, fileOf(job.requests));
    const { stdout } = await promisify(execFile)('wrk', [
      ...['--threads', '1', '--connections', String(job.connections)],
      ...['--duration', `${job.seconds}s`, '--script', script],
      ...[`http://127.0.0.1:${job.port}`, '--', file],
    ]);
    const last = stdout.split('\n').findLast((line) => line.startsWith('{')) ?? '';
    const printed = JSON.parse(last) as Printed;
    if (printed.failed > 0 || printed.refused > 0) throw new Error(`wrk saw errors: ${last}`);
    const milliseconds = (microseconds: number) => microseconds / 1_000;
    return {
      requests: printed.requests,
      seconds: printed.duration / 1_000_000,
      p50: milliseconds(printed.p50),
      p99: milliseconds(printed.p99),
      p999: milliseconds(printed.p999),
      reconnects: 0,
      resent: 0,
    };
  });
}
