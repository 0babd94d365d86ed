import { spawnSync } from 'node:child_process';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Captured, capture, headersToCopy } from '../measure/capture.ts';
import { startChild } from '../processes/child.ts';
import { pin } from '../processes/cores.ts';
import { freePort } from '../processes/free-port.ts';
import { processTree } from '../processes/usage.ts';
import type { Server } from './peer.ts';

const startBoundMs = 10_000;
const pollMs = 20;
/** The account `nobody`, to which an nginx that root started would change. */
const UNPRIVILEGED = { uid: 65_534, gid: 65_534 };

export const hasNginx = spawnSync('nginx', ['-v']).status === 0;

/** nginx makes and checks its own ETag; it cannot check ours. */
const MADE_BY_NGINX = new Set(['etag', 'content-type']);

function configuration(folder: string, port: number, captured: Captured): string {
  const headers = headersToCopy(captured);
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  const added = headers
    .filter(([name]) => !MADE_BY_NGINX.has(name.toLowerCase()))
    .map(([name, value]) => `add_header ${name} "${value}" always;`);
  return `
    daemon off;
    pid ${folder}/nginx.pid;
    error_log ${folder}/error.log error;
    worker_processes 1;
    events { worker_connections 10240; }
    http {
      access_log off;
      sendfile on;
      tcp_nopush on;
      keepalive_timeout 3600;
      keepalive_requests 1000000000;
      open_file_cache max=100 inactive=3600s;
      open_file_cache_valid 3600s;
      client_body_temp_path ${folder}/body;
      proxy_temp_path ${folder}/proxy;
      fastcgi_temp_path ${folder}/fastcgi;
      uwsgi_temp_path ${folder}/uwsgi;
      scgi_temp_path ${folder}/scgi;
      limit_req_zone $host$binary_remote_addr zone=clients:16m rate=1000000r/s;
      server {
        listen 127.0.0.1:${port};
        default_type "${type}";
        location = /api/v1/menu {
          limit_req zone=clients burst=1000000 nodelay;
          alias ${folder}/menu.bytes;
          add_header Last-Modified "";
          ${added.join('\n          ')}
        }
      }
    }`;
}

async function answers(port: number): Promise<boolean> {
  try {
    await capture(port, '/api/v1/menu');
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') throw error;
    return false;
  }
}

/**
 * nginx with `limit_req` by host and client address, and a limit that no load reaches. It serves the
 * captured body from its file cache.
 */
export async function startNginx(captured: Captured): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), 'lavagna-nginx-'));
  const port = await freePort();
  const account = process.getuid?.() === 0 ? UNPRIVILEGED : undefined;
  await chmod(folder, 0o755);
  if (account) await chown(folder, account.uid, account.gid);
  await writeFile(join(folder, 'menu.bytes'), captured.body);
  await writeFile(join(folder, 'nginx.conf'), configuration(folder, port, captured));
  const command = [
    'nginx',
    '-p',
    folder,
    '-e',
    `${folder}/error.log`,
    '-c',
    `${folder}/nginx.conf`,
  ];
  const child = await startChild(pin('server', command), { account });
  const stop = async () => {
    await child.stop();
    await rm(folder, { recursive: true, force: true });
  };
  const bound = Date.now() + startBoundMs;
  while (!(await answers(port))) {
    if (Date.now() > bound) {
      await stop();
      throw new Error(`nginx does not answer:\n${child.output()}`);
    }
    await sleep(pollMs);
  }
  return { name: 'nginx with limit_req', port, pids: processTree(child.pid), stop };
}
