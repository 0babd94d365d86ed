import { askChecklist } from './ask-checklist.ts';
import type { Calls } from './ask-versions.ts';

/** Asks for texts in a language, and in one that there is not; then for the checklist. */
export async function askTranslations({
  call,
  expectStatus,
}: Pick<Calls, 'call' | 'expectStatus'>): Promise<void> {
  await expectStatus(200, call('GET', '/admin/translations?locale=en&per_page=5&shoes=43'));
  await expectStatus(422, call('GET', '/admin/translations?locale=xx'));
  await askChecklist({ call, expectStatus });
}
