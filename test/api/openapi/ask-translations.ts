import { askChecklist } from './ask-checklist.ts';
import type { Calls } from './ask-versions.ts';

/** Asks for texts in a language, and in one that there is not; then for the checklist. */
export async function askTranslations({ call }: Pick<Calls, 'call'>): Promise<void> {
  (await call('GET', '/admin/translations?locale=en&per_page=5&shoes=43')).expect(200);
  (await call('GET', '/admin/translations?locale=xx')).expect(422);
  await askChecklist({ call });
}
