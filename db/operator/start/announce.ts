import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../runtime/config.ts';
import type { ListedTenant } from '../../sql/tenants.ts';
import type { Process } from './processes.ts';

const pollMs = 200;
const requestBoundMs = 2_000;

const isGateway = ({ kind }: Process) => kind === 'gateway';

/** Waits until the first gateway, or else worker, is ready, or until `stopping`; tells which. */
export async function firstIsReady(processes: Process[], stopping: AbortSignal): Promise<boolean> {
  const first = processes.find(isGateway) ?? processes[0];
  if (first === undefined) return false;
  while (!stopping.aborted) {
    if (await answers(`http://127.0.0.1:${first.opsPort}/readyz`)) return true;
    await sleep(pollMs);
  }
  return false;
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(requestBoundMs) });
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    // Not listening yet, or not answering: the caller asks again.
    return false;
  }
}

/** Where the first tenants are served, and the health of the processes. */
export function addresses(
  config: Config,
  processes: Process[],
  tenants: readonly ListedTenant[],
): string {
  const [scheme, usual] = config.tls ? ['https', 443] : ['http', 80];
  const port = config.port === usual ? '' : `:${config.port}`;
  const served = processes.some(isGateway) ? tenants : [];
  const lines = served.flatMap(({ name, slug }) => {
    const host = `${scheme}://${slug}.${config.domain}${port}`;
    return [
      // It goes to a terminal, which would obey what stands in it.
      name.replace(/\p{Cc}+/gu, ' '),
      `  page    ${host}/`,
      `  menu    ${host}/api/v1/menu`,
      `  tokens  ${host}/admin/api-tokens`,
    ];
  });
  const health = processes.map(({ name, opsPort }) => {
    return `  ${name.padEnd(10)} http://127.0.0.1:${opsPort}/healthz`;
  });
  return ['', 'Lavagna is ready.', '', ...lines, 'Health', ...health, ''].join('\n');
}
