import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BrowserProgram, unpackBrowser } from '../../bench/processes/browser-server.ts';

/** The last version for Node 20. */
const LIGHTHOUSE = 'lighthouse@12.8.2';
const CATEGORIES = ['accessibility', 'best-practices', 'seo'];

/** A page, what a browser has to send to see it, and the audits that it fails on purpose. */
export interface JudgedPage {
  url: string;
  cookie?: string;
  /** Hangs on a wall; any other page is shown on a phone. */
  isWall?: boolean;
  /** The reason by the audit's id. */
  reasons?: Readonly<Record<string, string>>;
}

interface Report {
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, { score: number | null; title: string; details?: unknown }>;
}

/** The options of what a page is shown on. */
const PHONE = ['--form-factor=mobile', '--screenEmulation.width=360'];
const WALL = ['--preset=desktop', '--screenEmulation.width=1920', '--screenEmulation.height=1080'];

/** Lets Lighthouse look at a page. */
async function reportOf(page: JudgedPage, browser: BrowserProgram, folder: string) {
  const path = join(folder, 'lighthouse.json');
  const switches = ['--headless', ...browser.args].join(' ');
  const cookie = page.cookie && `--extra-headers=${JSON.stringify({ Cookie: page.cookie })}`;
  const args = [
    ...['--yes', LIGHTHOUSE, page.url, '--output=json', `--output-path=${path}`, '--quiet'],
    ...[`--only-categories=${CATEGORIES}`, ...(page.isWall ? WALL : PHONE)],
    ...[`--chrome-flags=${switches}`, ...(cookie ? [cookie] : [])],
  ];
  const env = { ...browser.env, CHROME_PATH: browser.executablePath };
  const child = spawn('npx', args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const [status] = await once(child, 'exit');
  if (status !== 0) throw new Error(`Lighthouse ended with ${status} at ${page.url}`);
  return JSON.parse(await readFile(path, 'utf8')) as Report;
}

/** The audits that make a score less than 100, with the places that they name. */
function failedAudits({ categories, audits }: Report): { id: string; text: string }[] {
  const counted = Object.values(categories).flatMap(({ auditRefs }) =>
    auditRefs.filter(({ weight }) => weight > 0).map(({ id }) => id),
  );
  return [...new Set(counted)].flatMap((id) => {
    const { score = null, title = '', details } = audits[id] ?? {};
    if (score === null || score === 1) return [];
    return [{ id, text: `${id}: ${title} ${JSON.stringify(details ?? '').slice(0, 1_500)}` }];
  });
}

/** Whether Lighthouse gives each page 100 in each category, but for the audits with a reason. */
export async function judgeByLighthouse(
  folder: string,
  pages: readonly JudgedPage[],
): Promise<boolean> {
  const browser = await unpackBrowser(join(folder, 'browser'));
  let isClean = true;
  for (const page of pages) {
    const report = await reportOf(page, browser, folder);
    const scores = Object.entries(report.categories).map(
      ([name, { score }]) => `${name} ${Math.round((score ?? 0) * 100)}`,
    );
    console.log(`Lighthouse, ${new URL(page.url).pathname}: ${scores.join(', ')}`);
    for (const { id, text } of failedAudits(report)) {
      const reason = page.reasons?.[id];
      console.log(reason ? `  ${id} on purpose: ${reason}` : `  ${text}`);
      if (!reason) isClean = false;
    }
  }
  return isClean;
}
