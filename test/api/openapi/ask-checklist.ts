import type { Calls } from './ask-versions.ts';

/** Asks what the law of a country wants, in a language, and in one that the panel does not speak. */
export async function askChecklist({
  call,
  expectStatus,
}: Pick<Calls, 'call' | 'expectStatus'>): Promise<void> {
  await expectStatus(200, call('PATCH', '/admin/settings', { country: 'DE' }));
  await expectStatus(200, call('GET', '/admin/checklist?locale=de&shoes=43'));
  await expectStatus(422, call('GET', '/admin/checklist?locale=xx'));
}
