import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type MenuService, startMenuService } from '../support/menu-service.ts';
import { restaurantOf } from '../support/restaurant.ts';

let service: MenuService;
before(async () => {
  service = await startMenuService([restaurantOf('osteria', [])]);
});
after(() => service.stop());

test('a restaurant’s page runs our own files alone, sends no form and keeps its base', async () => {
  const { status, headers } = await service.client.send('/');
  assert.equal(status, 200);
  const policy = new Map(
    (headers['content-security-policy'] ?? '').split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources.join(' ')];
    }),
  );
  for (const [directive, sources] of Object.entries({
    'default-src': "'none'",
    'script-src': "'self'",
    'worker-src': "'self'",
    'connect-src': "'self'",
    'img-src': "'self' https: http: data:",
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
