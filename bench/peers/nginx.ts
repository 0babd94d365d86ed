import { spawnSync } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Captured, capture, headersToCopy } from '../measure/capture.ts';
import { startChild } from '../processes/child.ts';
import { pin } from '../processes/cores.ts';
import { freePort } from '../processes/free-port.ts';
import { running } from '../processes/running.ts';
import { processTree } from '../processes/usage.ts';
import type { Server } from './peer.ts';

const startBoundMs = 10_000;
const pollMs = 20;
/** The account `nobody`, to which an nginx that root started would change. */
const UNPRIVILEGED = { uid: 65_534, gid: 65_534 };

export const hasNginx = spawnSync('nginx', ['-v']).status === 0;

/** nginx makes and checks its own ETag; it cannot check ours. */
const MADE_BY_NGINX = new Set(['etag', 'content-type']);

/** @param file of a menu, in which nginx' own variables may stand */
function configuration(folder: string, port: number, captured: Captured, file: string): string {
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
      open_file_cache max=20000 inactive=3600s;
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
          alias ${file};
          add_header Last-Modified "";
          ${added.join('\n          ')}
        }
      }
    }`;
}

async function answers(port: number, host: string): Promise<boolean> {
  try {
    await capture(port, '/api/v1/menu', { Host: host });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') throw error;
    return false;
  }
}

/** nginx with the answers of many menus, each in a file that is named as its host is. */
export async function startNginxOfMany(menus: ReadonlyMap<string, Captured>): Promise<Server> {
  const [first] = menus.values();
  if (!first) throw new Error('a server of many menus needs one');
  const write = async (folder: string) => {
    for (const [host, { body }] of menus) await writeFile(join(folder, host), body);
  };
  const [host = ''] = menus.keys();
  return start(`nginx with limit_req and ${menus.size} files`, first, write, '$host', host);
}

/**
 * nginx with `limit_req` by host and client address, and a limit that no load reaches. It serves the
 * captured body from its file cache.
 */
export function startNginx(captured: Captured): Promise<Server> {
  const write = (folder: string) => writeFile(join(folder, 'menu.bytes'), captured.body);
  return start('nginx with limit_req', captured, write, 'menu.bytes');
}

async function start(
  name: string,
  captured: Captured,
  writeFiles: (folder: string) => Promise<void>,
  file: string,
  host = 'localhost',
): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), 'lavagna-nginx-'));
  const port = await freePort();
  const account = process.getuid?.() === 0 ? UNPRIVILEGED : undefined;
  await chmod(folder, 0o755);
  if (account) await chown(folder, account.uid, account.gid);
  const files = join(folder, 'menus');
  await mkdir(files);
  await writeFiles(files);
  const text = configuration(folder, port, captured, join(files, file));
  await writeFile(join(folder, 'nginx.conf'), text);
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
  while (!(await answers(port, host))) {
    if (Date.now() > bound) {
      await stop();
      throw new Error(`nginx does not answer:\n${child.output()}`);
    }
    await sleep(pollMs);
  }
  return running({ name, port, pids: processTree(child.pid), stop });
}
