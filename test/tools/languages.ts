// `node --import tsx test/run.ts test/tools/languages.ts`: programs in the languages of integrators do a round
// against a gateway and a worker with the limits of an installation.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issueToken } from '../support/admin.ts';
import { createTestDatabase } from '../support/database.ts';
import { openDatabase, plant, restaurantOf } from '../support/restaurant.ts';
import { startService } from '../support/service-process.ts';
import { judgeByLanguages, LANGUAGES } from './judge-by-languages.ts';

const folder = await mkdtemp(join(tmpdir(), 'lavagna-languages-'));
const database = await createTestDatabase();
const db = await openDatabase(database.url);
const tokens = new Map<string, string>();
for (const { slug } of LANGUAGES) {
  tokens.set(slug, await issueToken(db, await plant(db, restaurantOf(slug, []))));
}
const gateway = await startService('gateway/main.ts', database.url, { LIMIT_ADMIN: '30' });
const worker = await startService('workers/main.ts', database.url, { WEBHOOKS_PRIVATE: '1' });
try {
  const isFine = await judgeByLanguages(folder, {
    port: gateway.port,
    host: (slug) => `${slug}.localhost:${gateway.port}`,
    token: (slug) => tokens.get(slug) ?? '',
  });
  process.exitCode = isFine ? 0 : 1;
} finally {
  await gateway.program.stop();
  await worker.program.stop();
  await db.end();
  await database.drop();
  await rm(folder, { recursive: true });
}
