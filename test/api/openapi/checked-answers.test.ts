import assert from 'node:assert/strict';
import { test } from 'node:test';
import { smallRestaurant } from '../../support/admin.ts';
import { checkAnswer } from '../../support/contract.ts';
import type { Response } from '../../support/http.ts';
import { menuService } from '../../support/menu-service.ts';

const service = await menuService([smallRestaurant]);

test('an answer that is not as documented is noticed', async () => {
  const path = '/api/v1/theme';
  const right = await service.client.get('/theme');
  checkAnswer('GET', path, right);
  const { etag: _etag, ...headers } = right.headers;
  const { footer_text: _text, ...theme } = right.json.data;
  const withBody = (body: unknown) => ({ ...right, text: JSON.stringify(body) });
  const wrong: Record<string, Response> = {
    'a header too few': { ...right, headers },
    'a header too many': { ...right, headers: { ...right.headers, 'x-new': '1' } },
    'a header of another form': { ...right, headers: { ...right.headers, etag: 'W/"x"' } },
    'a status': { ...right, status: 203 },
    'a type': { ...right, headers: { ...right.headers, 'content-type': 'text/html' } },
    'a field too few': withBody({ ...right.json, data: theme }),
    'a field too many': withBody({ ...right.json, data: { ...right.json.data, more: 1 } }),
    'another type of a field': withBody({ ...right.json, meta: { generated_at: 1 } }),
  };
  for (const [what, answer] of Object.entries(wrong)) {
    assert.throws(() => checkAnswer('GET', path, answer), assert.AssertionError, what);
  }
});
