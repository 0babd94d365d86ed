import type { Calls } from './ask-versions.ts';

const ASYNC = { Prefer: 'respond-async' };

/** Asks about releases: they are made, shown, changed, tried, published, ended and deleted. */
export async function askReleases({ call, result }: Calls): Promise<void> {
  const all = '/admin/releases';
  const made = (await call('POST', all, { name: 'Natale', shoes: 43 })).expect(201);
  const path = `${all}/${made.json.data.id}`;
  for (const one of [all, path]) (await call('GET', one)).expect(200);
  const wrong = [{ resource: 'items', action: 'delete', id: 99_999 }];
  (await call('PUT', path, { operations: wrong })).expect(200);
  (await call('POST', `${path}/check`)).expect(200);
  await result((await call('POST', `${path}/check`, undefined, ASYNC)).expect(202));
  for (const deed of ['publish', 'end']) (await call('POST', `${path}/${deed}`)).expect(422);
  (await call('PUT', path, { name: 'Vigilia' }, { 'If-Match': '"other"' })).expect(412);
  (await call('PUT', path, { starts_at: 'x' })).expect(422);
  const text = (text_color: string) => ({
    operations: [{ resource: 'theme', action: 'update', data: { text_color } }],
    ends_at: '2199-01-01T00:00:00Z',
  });
  (await call('PUT', path, text('#112233'))).expect(200);
  (await call('POST', `${path}/publish`)).expect(200);
  (await call('DELETE', path)).expect(422);
  (await call('POST', `${path}/end`)).expect(200);
  (await call('DELETE', path)).expect(204);
  (await call('DELETE', path)).expect(404);
  const other = (await call('POST', all, { name: 'B', ...text('#223344') })).expect(201);
  for (const deed of ['publish', 'end']) {
    const sent = call('POST', `${all}/${other.json.data.id}/${deed}`, undefined, ASYNC);
    await result((await sent).expect(202));
  }
}
