import type { Calls } from './ask-versions.ts';

/** Asks what the law of a country wants, in a language, and in one that the panel does not speak. */
export async function askChecklist({ call }: Pick<Calls, 'call'>): Promise<void> {
  (await call('PATCH', '/admin/settings', { country: 'DE' })).expect(200);
  (await call('GET', '/admin/checklist?locale=de&shoes=43')).expect(200);
  (await call('GET', '/admin/checklist?locale=xx')).expect(422);
}
