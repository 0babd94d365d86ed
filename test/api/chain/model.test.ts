// After any edits of a master and a branch, give-backs and publications, each field is the branch's
// value or the master's, as own_fields says.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { adminService } from '../../support/admin.ts';
import { follow, type House, masterHouse, openHouse } from '../../support/chain.ts';
import { seed } from '../../support/seed.ts';
import { often } from '../../support/thorough.ts';

const service = await adminService();
const master = await masterHouse(service);
const branch = await openHouse(service, 'roma');

const NAMES = ['Olive', 'Gnocchi'] as const;
const FIELDS = ['price', 'kcal', 'grapes', 'description', 'labels', 'is_active'] as const;
type Field = (typeof FIELDS)[number];

/** Values of each field, those among them that say nothing. */
const VALUES: Record<Field, readonly unknown[]> = {
  price: [0, 4.5, 11, 12.9],
  kcal: [null, 0, 300],
  grapes: ['', 'Glera', 'Refosco'],
  description: [{}, { it: 'Della casa' }, { it: 'Di stagione', en: 'Of the season' }],
  labels: [[], ['vegan'], ['vegan', 'lactose_free']],
  is_active: [true, false],
};

const place = { dish: fc.nat(NAMES.length - 1), field: fc.constantFrom(...FIELDS) };
const step = fc.oneof(
  fc.record({ kind: fc.constantFrom('master', 'own'), ...place, value: fc.nat(2) }),
  fc.record({ kind: fc.constant('back'), ...place }),
  fc.constant({ kind: 'publish' } as const),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const ids = { master: [0, 0], branch: [0, 0] };

await follow(service, branch, master);
await master.ask('POST', '/chain/publish', {});
for (const [at, name] of NAMES.entries()) {
  ids.master[at] = (await master.dish(name)).id;
  ids.branch[at] = (await branch.dish(name)).id;
}

/** The values of a dish's fields, in the form in which they are sent. */
async function read(house: House, id: number) {
  const dish = await house.ask('GET', `/items/${id}`);
  const values = FIELDS.map((name) => [
    name,
    name === 'description' ? dish.description_translations : dish[name],
  ]);
  return { values: Object.fromEntries(values), own: new Set<string>(dish.chain?.own_fields ?? []) };
}

/** Both dishes of both houses, as they should be. */
interface Model {
  master: Record<string, unknown>[];
  branch: Record<string, unknown>[];
  own: Set<string>[];
}

async function begin(): Promise<Model> {
  for (const id of ids.branch) await branch.ask('POST', `/items/${id}/follow`, {});
  await master.ask('POST', '/chain/publish', {});
  const [of, at] = [[], []] as [Model['master'], Model['branch']];
  for (const dish of [0, 1]) {
    of.push((await read(master, ids.master[dish] ?? 0)).values);
    at.push((await read(branch, ids.branch[dish] ?? 0)).values);
  }
  return { master: of, branch: at, own: [new Set(), new Set()] };
}

async function take(model: Model, one: Step): Promise<void> {
  if (one.kind === 'publish') {
    await master.ask('POST', '/chain/publish', {});
    for (const [at, own] of model.own.entries()) {
      for (const name of FIELDS) {
        const value = model.master[at]?.[name];
        if (!own.has(name)) Object.assign(model.branch[at] ?? {}, { [name]: value });
      }
    }
    return;
  }
  const { dish, field } = one as { dish: number; field: Field };
  const [own, of, at] = [model.own[dish], model.master[dish], model.branch[dish]];
  if (one.kind === 'back') {
    await branch.ask('POST', `/items/${ids.branch[dish]}/follow`, { fields: [field] });
    own?.delete(field);
    Object.assign(at ?? {}, { [field]: of?.[field] });
    return;
  }
  const list = VALUES[field];
  const value = list[(one as { value: number }).value % list.length];
  const house = one.kind === 'master' ? master : branch;
  const side = one.kind === 'master' ? of : at;
  const id = one.kind === 'master' ? ids.master[dish] : ids.branch[dish];
  await house.ask('PUT', `/items/${id}`, { [field]: value });
  const isSame = JSON.stringify(side?.[field]) === JSON.stringify(value);
  if (one.kind === 'own' && !isSame) own?.add(field);
  Object.assign(side ?? {}, { [field]: value });
}

test('each field of a branch is its own or the master’s, whatever was done before', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 24 }), async (steps) => {
      const model = await begin();
      for (const one of steps) await take(model, one);
      for (const [at, id] of ids.branch.entries()) {
        const { values, own } = await read(branch, id);
        assert.deepEqual(values, model.branch[at]);
        assert.deepEqual(own, model.own[at]);
      }
      await take(model, { kind: 'publish' });
      for (const [at, id] of ids.branch.entries()) {
        assert.deepEqual((await read(branch, id)).values, model.branch[at]);
      }
    }),
    { seed, numRuns: often(6, 25), endOnFailure: true },
  );
});
