import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { memoizeAsync } from '../../../db/runtime/memoize.ts';
import { createEventSchema, EVENT_TYPES } from '../../../db/schema/event.ts';
import { records } from '../../../db/schema/registry.ts';
import { checkInput } from '../../../db/schema/validation/check-input.ts';
import type { JsonSchema } from '../../../db/schema/validation/described-as.ts';
import { ALL_LOCALES } from '../../../db/schema/values/locale.ts';
import { COLLECTIONS, type Resource, resourceSchema } from '../../../db/schema/values/resource.ts';
import { changeOf } from '../../../gateway/analytics/reports/report.ts';
import { reportExamples } from '../../../gateway/analytics/reports/report-examples.ts';
import type { ApiOperation, Media, Paths, Response } from '../../../gateway/openapi/parts.ts';
import { bodyExample, toComponents } from '../../../gateway/openapi/schemas.ts';
import { routes } from '../../../gateway/routes/routes.ts';
import { checkValue, document, resolveRef } from '../../support/contract.ts';
import { fileFolder } from '../../support/folder.ts';
import { menuService } from '../../support/menu-service.ts';
import { startProcess } from '../../support/process.ts';
import { restaurantOf } from '../../support/restaurant.ts';

const root = resolve(import.meta.dirname, '../../..');
const run = promisify(execFile);
const operations: ApiOperation[] = Object.values(document.paths as Paths).flatMap((item) =>
  Object.values(item),
);
const { gateway } = await menuService(['osteria', 'bottega'].map((slug) => restaurantOf(slug, [])));

/** The output of `npm run -s openapi`, which needs no database. */
const printed = memoizeAsync(async (): Promise<string> => {
  const program = startProcess('gateway/print-openapi.ts');
  assert.equal(await program.ended, 0, program.stderr());
  return program.stdout();
});

/** The gateway's own route table, in the document's words. */
function routeTable(): string[] {
  return routes.flatMap(({ method, path }) => {
    const optional = /\/:\w+\?$/;
    const forms = optional.test(path)
      ? [path.replace(optional, ''), path.replace('?', '')]
      : [path];
    return forms.map((form) => `${method} ${form.replace(/:(\w+)/g, '{$1}')}`);
  });
}

/** Whether a schema has nothing against a value. */
function allows(schema: object, value: unknown): boolean {
  try {
    checkValue(schema, value, 'a value');
    return true;
  } catch {
    return false;
  }
}

function sum(figures: number[]): number {
  return figures.reduce((total, figure) => total + figure, 0);
}

describe('the document', () => {
  test('has the operations of the route table and no others', () => {
    const described = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    assert.deepEqual(new Set(described), new Set(routeTable()));
  });

  test('passes the strictest rules of the linter', async () => {
    const folder = await fileFolder();
    const file = join(folder, 'openapi.json');
    await writeFile(file, await printed());
    const linter = join(root, 'node_modules/@redocly/cli/bin/cli.js');
    const args = ['lint', '--extends=recommended-strict', '--format=json', file];
    const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const env = { ...process.env, ...quiet };
    const { stdout } = await run(process.execPath, [linter, ...args], { cwd: folder, env }).catch(
      (error: { stdout: string }) => error,
    );
    const { totals, problems } = JSON.parse(stdout);
    assert.deepEqual(problems, []);
    assert.deepEqual(totals, { errors: 0, warnings: 0, ignored: 0 });
  });

  test('is the same on every host and at the command line', async () => {
    const first = await gateway.client('osteria').get('/openapi.json');
    const second = await gateway.client('bottega').get('/openapi.json');
    assert.equal(first.headers.etag, second.headers.etag);
    assert.deepEqual(second.json, JSON.parse(await printed()));
    const [server] = second.json.servers;
    const { pathname } = new URL(server.url.replace('{scheme}', 'http').replace('{host}', 'a'));
    const menu = await gateway.client('bottega').send(`${pathname}/menu`);
    assert.equal(menu.json.data.settings.slug, 'bottega');
  });

  test('marks the parameters of queries that a request needs', () => {
    const needed = operations.flatMap(({ operationId, parameters = [] }) =>
      parameters.flatMap((one) => {
        const { name, in: place, required } = resolveRef(one);
        return place === 'query' && required ? [`${operationId} ${name}`] : [];
      }),
    );
    assert.deepEqual(needed, ['listTranslations locale']);
  });

  test('describes every property', () => {
    const silent: string[] = [];
    const look = (value: unknown, at: string) => {
      if (typeof value !== 'object' || value === null) return;
      for (const [key, inner] of Object.entries(value)) {
        if (key === 'example') continue;
        look(inner, `${at}/${key}`);
        if (key !== 'properties') continue;
        for (const [name, property] of Object.entries(inner as Record<string, JsonSchema>)) {
          if (!property.description) silent.push(`${at}/${name}`);
        }
      }
    };
    look(document, '');
    assert.deepEqual(silent, []);
  });

  test('gives examples that are what its schemas say', () => {
    let examples = 0;
    const check = (content: Record<string, Media>, what: string) => {
      for (const { schema, example } of Object.values(content)) {
        if (example === undefined) continue;
        checkValue(schema, example, what);
        examples += 1;
      }
    };
    for (const { operationId, requestBody, responses } of operations) {
      if (requestBody) check(requestBody.content, operationId);
      for (const [status, given] of Object.entries(responses)) {
        const { content } = resolveRef<Response>(given);
        if (content) check(content, `${operationId} ${status}`);
        if (operationId !== 'getDocument' && content) {
          assert.ok('example' in (Object.values(content)[0] as Media), `${operationId} ${status}`);
        }
      }
    }
    assert.ok(examples > operations.length);
  });

  test('gives examples of bodies that the rules accept', () => {
    for (const [resource, { change }] of Object.entries(records)) {
      assert.ok('input' in checkInput(change, bodyExample(resource as Resource)), resource);
    }
    for (const resource of COLLECTIONS) {
      assert.ok('input' in checkInput(records[resource].input, bodyExample(resource)), resource);
    }
  });

  test('gives examples of reports whose figures agree', () => {
    const { overview, items, sections, allergens } = reportExamples;
    const { totals, previous, change, by_day, by_hour } = overview.data;
    for (const { events, by_type } of [totals, previous]) {
      assert.equal(sum(Object.values(by_type)), events);
    }
    for (const days of [by_day, by_hour]) {
      assert.equal(sum(days.map(({ events }) => events)), totals.events);
    }
    for (const figure of ['events', 'visitors'] as const) {
      assert.equal(change[figure], changeOf(totals[figure], previous[figure]), figure);
    }
    for (const type of EVENT_TYPES) {
      const wanted = changeOf(totals.by_type[type], previous.by_type[type]);
      assert.equal(change.by_type[type], wanted, type);
    }
    const viewed = [...items.data.items, ...sections.data.sections];
    for (const { views, previous_views, change: said } of viewed) {
      assert.equal(said, changeOf(views, previous_views));
    }
    for (const { uses, previous_uses, change: said } of allergens.data.allergens) {
      assert.equal(said, changeOf(uses, previous_uses));
    }
  });

  test('names ids of events as numbers; the rules take their digits too', () => {
    const event = createEventSchema(Date.now);
    const { EventBody } = document.components.schemas as Record<string, object>;
    const right = [7, '7', '2147483647'];
    for (const id of [...right, 'sette', 7.5, 0]) {
      const isRight = right.includes(id);
      for (const one of [
        { type: 'item_view', item_id: id },
        { type: 'section_view', category_id: id },
      ]) {
        assert.equal(v.safeParse(event, one).success, isRight, JSON.stringify(one));
        const isNumber = typeof id === 'number';
        assert.equal(allows(EventBody as object, one), isRight && isNumber, JSON.stringify(one));
      }
    }
  });

  test('says of every change how what is read is written', () => {
    const rules = ['name_translations', 'description_translations', 'ignored'];
    for (const { operationId, description = '' } of operations) {
      if (!/^(update|change)/.test(operationId) || operationId === 'changeUser') continue;
      for (const rule of rules) assert.ok(description.includes(rule), `${operationId}: ${rule}`);
    }
  });

  test('says the rules for which JSON Schema has no words', () => {
    const schemas = document.components.schemas as Record<string, JsonSchema>;
    const { Event, CategoryInput, SettingsChange } = schemas;
    const said = JSON.stringify([Event, CategoryInput, SettingsChange, document.info.description]);
    const rules = [
      '`section_view` needs `category_id`, `item_view` needs `item_id`, `search` needs `query`,',
      '`allergen_filter` needs `allergen`, `locale_change` needs `locale`.',
      'at most 2 days ago and 5 minutes ahead of our clock',
      'at most 8 deep',
      'One of `supported_locales`.',
      'have at most 4 MiB as JSON',
    ];
    for (const rule of rules) assert.ok(said.includes(rule), rule);
  });

  test('says something of every field that refuses words which its schema allows', () => {
    const words = ['centered', 'http://', 'css/x.css', '//x.example/a', 'iole@', 'https://a b'];
    const silent: string[] = [];
    for (const resource of resourceSchema.options) {
      const { fields } = toComponents({ fields: records[resource].change }, 'input');
      for (const [field, said] of Object.entries(fields?.properties as Record<string, object>)) {
        if ('description' in said || 'format' in said) continue;
        for (const word of words.filter((one) => allows(said, one))) {
          const checked = checkInput(records[resource].change, { [field]: word });
          if ('errors' in checked) silent.push(`${resource}.${field}: ${word}`);
        }
      }
    }
    assert.deepEqual(silent, []);
  });

  test('says the rules of every field of a body', () => {
    const inputs = Object.entries(records).map(([resource, { input }]) => [resource, input]);
    const fields = toComponents(Object.fromEntries(inputs), 'input');
    // One field of each kind, as a reader of the document sees it.
    const { properties: dish } = fields.items as { properties: Record<string, object> };
    const description =
      'With at most as many decimals as the restaurant’s currency has by ISO 4217: 2 for EUR, 0 for JPY.';
    const price = { type: 'number', minimum: 0, maximum: 99_999_999.99, description };
    assert.deepEqual(dish.price, price);
    const { properties: theme } = fields.theme as { properties: Record<string, object> };
    const layouts = ['classic', 'grid', 'compact', 'slides'];
    assert.deepEqual(theme.layout_variant, { type: 'string', enum: layouts });
    const color = { type: 'string', minLength: 1, maxLength: 7, pattern: '^#[0-9A-Fa-f]{6}$' };
    assert.deepEqual(theme.text_color, color);
    const items = { type: 'string', enum: ALL_LOCALES };
    const list = { items, maxItems: ALL_LOCALES.length, uniqueItems: true };
    const { properties: settings } = fields.settings as { properties: Record<string, object> };
    assert.deepEqual(settings.supported_locales, { type: 'array', ...list, minItems: 1 });
    for (const [resource, { properties }] of Object.entries(fields)) {
      for (const [field, said] of Object.entries(properties as Record<string, object>)) {
        assert.notDeepEqual(Object.keys(said), [], `${resource}.${field} may be anything`);
      }
    }
  });
});
