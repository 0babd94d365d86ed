// `node --import tsx test/run.ts test/tools/main.ts`: public tools, which npm fetches, judge the document
// of the API and the pages of guests and owners, and generators make clients of it. promtool judges the
// metrics where it is installed.
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import '../api/openapi/client/localhost-names.js';
import { trattoria } from '../../db/operator/demo/restaurant.ts';
import { PLACES } from '../../gateway/panel/navigation.ts';
import { createAdminClient, issueToken } from '../support/admin.ts';
import type { MenuService } from '../support/menu-service.ts';
import { signedIn, type Visitor } from '../support/panel.ts';
import { PANEL_PATHS, plantPages } from '../support/panel-paths.ts';
import { startPanelService } from '../support/panel-service.ts';
import { picture } from '../support/pictures.ts';
import { JPEG } from '../support/too-large.ts';
import { judgeByGenerators } from './judge-by-generators.ts';
import { type JudgedPage, judgeByLighthouse } from './judge-by-lighthouse.ts';
import { judgeByPrism } from './judge-by-prism.ts';
import { judgeCollection } from './judge-collection.ts';

const GUEST_PATHS = ['/', '/?lang=de', '/?screen=1', '/docs', '/admin/sign-in', '/nowhere'];
/** The audits that pages of the panel fail on purpose. */
const PANEL_REASONS = {
  'is-crawlable': 'search engines stay out of the panel',
  'meta-description': 'no search engine shows the page',
  'robots-txt': 'the policy of the page does not let Lighthouse fetch the file',
};
/** Rules that no page breaks by mistake: they are about the style of writing HTML. */
const HTML_RULES = {
  extends: ['html-validate:standard'],
  rules: { 'long-title': 'off', 'no-raw-characters': 'off', 'no-trailing-whitespace': 'off' },
};

/** Runs a tool of npm; its exit code says whether it is content. */
function judge(name: string, folder: string, tool: string, ...args: string[]): boolean {
  const options = { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 2 ** 20 } as const;
  const { status, stdout, stderr } = spawnSync('npx', ['--yes', tool, ...args], options);
  console.log(`${name}: ${status === 0 ? 'clean' : `exit ${status}\n${stdout}${stderr}`}`);
  return status === 0;
}

/** The page of guests with a photo, the wall, and each place of the panel. */
async function judgedPages(service: MenuService, owner: Visitor): Promise<JudgedPage[]> {
  const admin = createAdminClient(service.client, await issueToken(service.db, service.tenantId));
  const photo = await admin.call('POST', '/photos', await picture({ height: 600 }), JPEG);
  await admin.call('PATCH', '/items/1', { photo_id: photo.json.data.id });
  const origin = `http://${trattoria.slug}.localhost:${service.gateway.port}`;
  const urls = (paths: string[]) => paths.map((path) => origin + path);
  return [
    { url: `${origin}/` },
    { url: `${origin}/?screen=1`, isWall: true },
    { url: `${origin}/admin/sign-in`, reasons: PANEL_REASONS },
    ...urls(Object.values(PLACES).map(({ path }) => path)).map((url) => ({
      url,
      cookie: owner.cookie,
      reasons: PANEL_REASONS,
    })),
  ];
}

const folder = await mkdtemp(join(tmpdir(), 'lavagna-tools-'));
const service = await startPanelService([trattoria], {
  constants: { maxPanelCost: Number.MAX_SAFE_INTEGER },
});
try {
  await plantPages(service);
  const { client } = service;
  await writeFile(join(folder, 'openapi.json'), (await client.get('/openapi.json')).text);
  await writeFile(join(folder, '.spectral.yaml'), 'extends: ["spectral:oas"]\n');
  await writeFile(
    join(folder, '.htmlvalidate.json'),
    JSON.stringify({ root: true, ...HTML_RULES }),
  );
  const owner = await signedIn(client);
  const pages: string[] = [];
  for (const path of [...GUEST_PATHS, ...PANEL_PATHS]) {
    const page = await (GUEST_PATHS.includes(path) ? client.send(path) : owner.get(path));
    const file = `${path.replaceAll(/[^\w]+/g, '_')}.html`;
    if (!page.headers['content-type']?.startsWith('text/html')) continue;
    await writeFile(join(folder, file), page.text);
    pages.push(file);
  }
  const results = process.env.ONLY
    ? []
    : [
        judge('Redocly', folder, '@redocly/cli@2.77.0', 'lint', 'openapi.json'),
        judge(
          'Spectral',
          folder,
          '@stoplight/spectral-cli@6.16.3',
          'lint',
          'openapi.json',
          '-F',
          'error',
        ),
        judge(`html-validate, ${pages.length} pages`, folder, 'html-validate@10.17.0', ...pages),
      ];
  const api = `http://${trattoria.slug}.localhost:${service.gateway.port}/api/v1`;
  const token = await issueToken(service.db, service.tenantId);
  const target = { base: api, token, photo: await picture({ height: 500 }) };
  if (!process.env.ONLY) results.push(await judgeByGenerators(folder, target));
  results.push(await judgeByPrism(folder, service.gateway.port, `${trattoria.slug}.localhost`));
  results.push(await judgeByLighthouse(folder, await judgedPages(service, owner)));
  // It changes and deletes records, so it comes last.
  results.push(await judgeCollection(folder, api, token));
  const promtool = spawnSync('promtool', ['check', 'metrics'], {
    input: await (await fetch(`http://127.0.0.1:${service.gateway.opsPort}/metrics`)).text(),
    encoding: 'utf8',
  });
  console.log(`promtool: ${promtool.error ? 'not installed' : promtool.stdout + promtool.stderr}`);
  process.exitCode = results.every(Boolean) && !promtool.status ? 0 : 1;
} finally {
  await service.stop();
  await rm(folder, { recursive: true });
}
