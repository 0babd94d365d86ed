import assert from 'node:assert/strict';
import { perform } from '../../db/actions/action.ts';
import { addScreen } from '../../db/actions/screens.ts';
import { findScreen, saveScreen } from '../../db/sql/screens.ts';
import { type DisplayPages, untilLaidOut } from './display-pages.ts';
import { operatorContext } from './operator-context.ts';

/** A screen that has got its place, in a browser; its clock is the page's own. */
export async function placedScreen(pages: DisplayPages, slug: string) {
  const opened = await pages.open(slug, {
    ...{ query: 'screen', viewport: { width: 1920, height: 1080 }, live: true },
    until: '.letters, .dish',
  });
  const { page } = opened;
  const code = await page.innerText('.letters');
  const tenantId = pages.tenantId(slug);
  const at = operatorContext(pages.db, tenantId, slug);
  const { id } = (await perform(addScreen, at, { name: 'Sala', code })).result;
  await page.reload();
  await page.waitForSelector('.dish:visible');
  await untilLaidOut(page);
  const set = async (change: object) => {
    const screen = await findScreen(pages.db, tenantId, id);
    assert.ok(screen);
    await saveScreen(pages.db, tenantId, id, { ...screen, ...change });
  };
  return { ...opened, id, tenantId, set };
}
