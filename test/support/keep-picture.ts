import { join } from 'node:path';
import type { Page } from 'playwright-core';

/**
 * Keeps a picture of a page for people to look at, where `SCREENSHOTS` names a folder for them.
 *
 * @param fullPage whether it shows the whole page, also what one has to scroll to
 */
export async function keepPicture(page: Page, name: string, fullPage = true): Promise<void> {
  const { SCREENSHOTS: folder } = process.env;
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage });
}
