// Four houses of the demo name a country. Their checklists say what the menus lack, and nothing more
// once each field is filled.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { houses, underLaws } from '../../../db/operator/demo/restaurant.ts';
import { type AdminClient, createAdminClient, issueToken } from '../../support/admin.ts';
import { panelService } from '../../support/panel-service.ts';

const HOUSES = [...houses, ...underLaws].filter(({ settings }) => 'country' in settings);

interface Rule {
  rule: string;
  law: string;
  applies: boolean;
  missing: { resource: string; id: number; name: string; field: string }[];
}
type Dish = Record<string, unknown> & { id: number; allergens: string[] };

const [first, ...others] = HOUSES;
assert.ok(first);
const service = await panelService([first, ...others]);

const KINDS: Record<string, string> = { cereali_glutine: 'grano', frutta_guscio: 'mandorle' };

/** A value with which a field of a dish is filled. */
function valueFor(field: string, dish: Dish, country: string): object {
  const isFish = dish.allergens.includes('pesce');
  const sizes = dish.variants as object[] | undefined;
  const allergen_detail = dish.allergens.flatMap((allergen) => KINDS[allergen] ?? []);
  const values: Record<string, object> = {
    ...{ allergens: { allergens: [] }, allergen_detail: { allergen_detail } },
    origins: { origins: [{ kind: isFish ? 'fish' : 'meat', country }] },
    ...{ kcal: { kcal: 500 }, volume_ml: { volume_ml: 300 } },
    variants: { variants: sizes?.map((one) => ({ ...one, volume_ml: 300 })) },
    price: { price: 24, price_on_request: false },
  };
  const value = values[field];
  assert.ok(value, `${field} can be filled`);
  return value;
}

/** The rules that apply and what each lacks; they are shown with the test. */
async function readRules(t: TestContext, admin: AdminClient, when: string): Promise<Rule[]> {
  const { json } = (await admin.get('/checklist')).expect(200);
  const rules: Rule[] = json.data.filter(({ applies }: Rule) => applies);
  for (const { rule, law, missing } of rules) {
    const lacks = missing.map(({ name, field }) => `${name}: ${field}`).join('; ');
    t.diagnostic(`${when}  ${rule} (${law}): ${lacks || 'met'}`);
  }
  return rules;
}

async function fill(admin: AdminClient, rules: readonly Rule[], country: string): Promise<void> {
  const lacks = rules.flatMap(({ missing }) => missing);
  assert.ok(lacks.every(({ resource }) => resource === 'items'));
  const { data } = (await admin.get('/items?per_page=100')).json;
  const changes = new Map<number, object>();
  for (const { id, field } of lacks) {
    const dish = data.find((one: Dish) => one.id === id);
    changes.set(id, { ...changes.get(id), ...valueFor(field, dish, country) });
  }
  const operations = Array.from(changes, ([id, change]) => ({
    ...{ resource: 'items', action: 'update', id, data: change },
  }));
  (await admin.call('POST', '/bulk', { operations })).expect(200);
}

test('four houses of the demo name a country: two in the Union, one in Switzerland, one in California', () => {
  const places = HOUSES.map(({ settings }) => {
    const { country, region } = settings as { country?: string; region?: string };
    return region ?? country;
  });
  assert.deepEqual(new Set(places), new Set(['CH', 'DE', 'IT', 'US-CA']));
});

for (const [at, { slug, settings }] of HOUSES.entries()) {
  test(`the checklist of ${slug} names what its menu lacks, and is met once that is filled`, async (t) => {
    const token = await issueToken(service.db, service.tenantId + at);
    const admin = createAdminClient(service.gateway.client(slug), token);
    const before = await readRules(t, admin, 'before');
    assert.ok(before.some(({ missing }) => missing.length > 0));
    await fill(admin, before, (settings as { country?: string }).country ?? '');
    const filled = await readRules(t, admin, 'after ');
    const lacking = filled.filter(({ missing }) => missing.length > 0);
    assert.deepEqual(lacking, []);
  });
}
