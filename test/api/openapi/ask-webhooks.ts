import type { Calls } from './ask-versions.ts';

/** Asks about webhooks: one is made, shown, changed, told and deleted. */
export async function askWebhooks({
  call,
  expectStatus,
}: Pick<Calls, 'call' | 'expectStatus'>): Promise<void> {
  const all = '/admin/webhooks';
  const body = { url: 'https://till.example.com/', events: ['menu.version'], is_active: false };
  const made = await expectStatus(201, call('POST', all, body));
  const path = `${all}/${made.json.data.id}`;
  for (const one of [all, path]) await expectStatus(200, call('GET', one));
  await expectStatus(200, call('PATCH', path, { rotate_secret: true, shoes: 43 }));
  await expectStatus(422, call('POST', all, { ...body, url: 'ftp://a.example' }));
  await expectStatus(422, call('PATCH', path, { events: [] }));
  await expectStatus(202, call('POST', `${path}/test`));
  const { json } = await expectStatus(200, call('GET', `${path}/deliveries`));
  await expectStatus(200, call('POST', `${path}/deliveries/${json.data[0].id}/resend`));
  await expectStatus(200, call('PATCH', path, { is_active: true }));
  await expectStatus(200, call('POST', `${path}/resend`, { from_version: 1 }));
  await expectStatus(204, call('DELETE', path));
  await expectStatus(404, call('DELETE', path));
}
