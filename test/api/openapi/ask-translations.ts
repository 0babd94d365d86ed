import type { Calls } from './ask-versions.ts';

/** Asks for the texts of the menu in a language, and in one that there is not. */
export async function askTranslations({
  call,
  expectStatus,
}: Pick<Calls, 'call' | 'expectStatus'>): Promise<void> {
  await expectStatus(200, call('GET', '/admin/translations?locale=en&per_page=5&shoes=43'));
  await expectStatus(422, call('GET', '/admin/translations?locale=xx'));
}
