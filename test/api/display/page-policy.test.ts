import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adminService } from '../../support/admin.ts';

const service = await adminService();

/** The sources of each directive of the page's policy. */
function directivesOf(headers: Readonly<Record<string, string | undefined>>) {
  return new Map(
    (headers['content-security-policy'] ?? '').split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources.join(' ')];
    }),
  );
}

test('a restaurant’s page runs our own files alone, sends no form and keeps its base', async () => {
  const { headers } = (await service.client.send('/')).expect(200);
  const policy = directivesOf(headers);
  for (const [directive, sources] of Object.entries({
    'default-src': "'none'",
    'script-src': "'self'",
    'worker-src': "'self'",
    'manifest-src': "'self'",
    'connect-src': "'self'",
    'img-src': "'self' https: http: data:",
    'frame-ancestors': "'self'",
    'form-action': "'none'",
    'base-uri': "'none'",
  })) {
    assert.equal(policy.get(directive), sources, directive);
  }
  for (const directive of ['style-src', 'font-src']) {
    assert.match(policy.get(directive) ?? '', /^'self'( https:\S*)?$/, directive);
  }
  assert.equal(headers['x-content-type-options'], 'nosniff');
});

const putOrigins = (origins: unknown) =>
  service.admin.call('PUT', '/settings', { embed_origins: origins });

test('a restaurant names the sites that may show its page in a frame', async () => {
  const first = await service.client.send('/');
  const origins = 'https://www.osteria.example https://hotel.example:8443';
  const { status, json } = await putOrigins(origins);
  assert.deepEqual([status, json.data.embed_origins], [200, origins]);
  const tag = { 'If-None-Match': first.headers.etag ?? '' };
  const page = await service.client.send('/', { headers: tag });
  assert.equal(page.status, 200, 'a copy with the former policy is no longer good');
  assert.equal(directivesOf(page.headers).get('frame-ancestors'), `'self' ${origins}`);
  const { settings } = (await service.client.get('/menu')).json.data;
  assert.ok(!('embed_origins' in settings), 'guests do not see the field');
  assert.equal((await putOrigins('')).status, 200);
  const after = await service.client.send('/');
  assert.equal(directivesOf(after.headers).get('frame-ancestors'), "'self'");
});

for (const [what, origins] of [
  ['plain HTTP', 'http://osteria.example'],
  ['a path', 'https://osteria.example/menu'],
  ['another directive', 'https://osteria.example; script-src *'],
  ['any site', '*'],
  ['a scheme alone', 'https:'],
  ['a second one that is none', 'https://osteria.example nonsense'],
  ['a line break', 'https://osteria.example\nX-Header: 1'],
  ['no text', ['https://osteria.example']],
  ['a text that is too long', `https://${'a'.repeat(1_000)}.example`],
] as const) {
  test(`embed_origins with ${what} is 422`, async () => {
    (await putOrigins(origins)).refuses('embed_origins');
  });
}
