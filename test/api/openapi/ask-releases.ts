import type { Calls } from './ask-versions.ts';

const ASYNC = { Prefer: 'respond-async' };

/** Asks about releases: they are made, shown, changed, tried, published, ended and deleted. */
export async function askReleases({ call, expectStatus, result }: Calls): Promise<void> {
  const all = '/admin/releases';
  const made = await expectStatus(201, call('POST', all, { name: 'Natale', shoes: 43 }));
  const path = `${all}/${made.json.data.id}`;
  for (const one of [all, path]) await expectStatus(200, call('GET', one));
  const wrong = [{ resource: 'items', action: 'delete', id: 99_999 }];
  await expectStatus(200, call('PUT', path, { operations: wrong }));
  await expectStatus(200, call('POST', `${path}/check`));
  await result(await expectStatus(202, call('POST', `${path}/check`, undefined, ASYNC)));
  for (const deed of ['publish', 'end']) await expectStatus(422, call('POST', `${path}/${deed}`));
  await expectStatus(412, call('PUT', path, { name: 'Vigilia' }, { 'If-Match': '"other"' }));
  await expectStatus(422, call('PUT', path, { starts_at: 'x' }));
  const text = (text_color: string) => ({
    operations: [{ resource: 'theme', action: 'update', data: { text_color } }],
    ends_at: '2199-01-01T00:00:00Z',
  });
  await expectStatus(200, call('PUT', path, text('#112233')));
  await expectStatus(200, call('POST', `${path}/publish`));
  await expectStatus(422, call('DELETE', path));
  await expectStatus(200, call('POST', `${path}/end`));
  await expectStatus(204, call('DELETE', path));
  await expectStatus(404, call('DELETE', path));
  const other = await expectStatus(201, call('POST', all, { name: 'B', ...text('#223344') }));
  for (const deed of ['publish', 'end']) {
    const sent = call('POST', `${all}/${other.json.data.id}/${deed}`, undefined, ASYNC);
    await result(await expectStatus(202, sent));
  }
}
