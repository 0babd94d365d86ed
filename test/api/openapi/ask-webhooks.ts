import type { Calls } from './ask-versions.ts';

/** Asks about webhooks: one is made, shown, changed, told and deleted. */
export async function askWebhooks({ call }: Pick<Calls, 'call'>): Promise<void> {
  const all = '/admin/webhooks';
  const body = { url: 'https://till.example.com/', events: ['menu.version'], is_active: false };
  const made = (await call('POST', all, body)).expect(201);
  const path = `${all}/${made.json.data.id}`;
  for (const one of [all, path]) (await call('GET', one)).expect(200);
  (await call('PATCH', path, { rotate_secret: true, shoes: 43 })).expect(200);
  (await call('POST', all, { ...body, url: 'ftp://a.example' })).expect(422);
  (await call('PATCH', path, { events: [] })).expect(422);
  (await call('POST', `${path}/test`)).expect(202);
  const { json } = (await call('GET', `${path}/deliveries`)).expect(200);
  (await call('POST', `${path}/deliveries/${json.data[0].id}/resend`)).expect(200);
  (await call('PATCH', path, { is_active: true })).expect(200);
  (await call('POST', `${path}/resend`, { from_version: 1 })).expect(200);
  (await call('DELETE', path)).expect(204);
  (await call('DELETE', path)).expect(404);
}
