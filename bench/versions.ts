// `node --import tsx bench/versions.ts FOLDER …`: what a change has brought. Gateways of several
// checkouts, each with its packages installed, answer the same hot reads in turn.
import { cannon } from './load/job.ts';
import { startLoader } from './load/loader.ts';
import { capture, headerOf } from './measure/capture.ts';
import { compare } from './measure/contest.ts';
import { type Server, startBare } from './peers/peer.ts';
import { conditions, renderFinding } from './report.ts';
import { withFolder } from './stage/folder.ts';
import { startGateway, startLavagna } from './stage/lavagna.ts';

const PATH = '/api/v1/menu';
const SIZE = { rounds: 9, seconds: 2, warmUp: 2 };
const progress = (line: string) => console.error(line);

async function race(servers: readonly Server[], headers: Record<string, string>) {
  const [first] = servers;
  const captured = await capture(first?.port ?? 0, PATH, headers);
  const bare = await startBare(captured);
  const loader = await startLoader();
  try {
    const expected = Number(captured.status.slice(0, 3));
    const contestants = [bare, ...servers].map((server) => {
      const job = cannon(server.port, [{ path: PATH, headers }], SIZE.seconds, expected);
      return { name: server.name, server, job };
    });
    const rows = await compare(contestants, { ...SIZE, loader, progress });
    const title = `Hot /menu, ${captured.body.length} bytes, ${captured.status}`;
    console.log(renderFinding({ title, rows }), '\n');
  } finally {
    await loader.stop();
    await bare.stop();
  }
}

const folders = process.argv.slice(2);
if (folders.length === 0) {
  console.error('usage: node --import tsx bench/versions.ts FOLDER …');
  process.exit(1);
}
await withFolder('versions', async (dataDir) => {
  const lavagna = await startLavagna(dataDir);
  const gateways: Server[] = [];
  try {
    for (const folder of folders) {
      gateways.push(await startGateway(folder, lavagna.databaseUrl, { folder }));
    }
    const headers = { Host: 'pizzeria.localhost', 'Accept-Encoding': 'br' };
    console.log(conditions(SIZE, new Date()), '\n');
    await race(gateways, headers);
    const full = await capture(lavagna.gateway.port, PATH, headers);
    await race(gateways, { ...headers, 'If-None-Match': headerOf(full, 'ETag') });
  } finally {
    for (const { stop } of [...gateways, lavagna]) await stop();
  }
});
