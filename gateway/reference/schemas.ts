import type { JsonSchema } from '../../db/schema/validation/described-as.ts';
import { type Content, type Html, html } from '../http/html.ts';

/** Rows of cells under a caption; the first cell of a row is its heading. */
export function table(
  caption: string,
  heads: readonly string[],
  rows: readonly (readonly Content[])[],
): Html | null {
  if (rows.length === 0) return null;
  const head = heads.map((text) => html`<th scope="col">${text}</th>`);
  const body = rows.map(
    ([first, ...others]) =>
      html`<tr><th scope="row">${first ?? ''}</th>${others.map((cell) => html`<td>${cell}</td>`)}</tr>`,
  );
  return html`<table><caption>${caption}</caption><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`;
}

/** Contents with a text between them. */
function joined(parts: readonly Content[], between: string): Content {
  if (parts.length === 1) return parts[0] ?? null;
  return parts.flatMap((part, index) => (index === 0 ? [part] : [between, part]));
}

export function code(value: unknown): Html {
  const isShownAsIs = typeof value === 'string' && value !== '';
  return html`<code>${isShownAsIs ? value : JSON.stringify(value)}</code>`;
}

/** A text of the document, whose words between backticks are code. */
export function prose(text: string): Content {
  return text.split('`').map((part, index) => (index % 2 === 1 ? code(part) : part));
}

/** A range of numbers, lengths or entries; undefined when there is no bound. */
function range(least: unknown, most: unknown, unit: string): string | undefined {
  if (least === undefined && most === undefined) return undefined;
  if (most === undefined) return `at least ${least}${unit}`;
  return least === undefined ? `at most ${most}${unit}` : `${least} to ${most}${unit}`;
}

/** The values that a schema allows; null comes last. */
function alternatives(schema: JsonSchema): Content[] {
  const { $ref, anyOf, oneOf, enum: values, type = 'anything' } = schema;
  if (typeof $ref === 'string') {
    const name = $ref.replace(/.*\//, '');
    return [html`<a href="#schema-${name}">${name}</a>`];
  }
  const some = anyOf ?? oneOf;
  if (some) return some.map((one) => (one.type === 'null' ? 'null' : schemaText(one)));
  if (Array.isArray(values)) return [['one of ', joined(values.map(code), ', ')]];
  if ('const' in schema) return [code(schema.const)];
  return [type].flat().map((one) => {
    if (one === 'array') return ['list of ', schemaText(schema.items ?? {})];
    if (one !== 'object') return String(one);
    const { properties = {}, additionalProperties: others } = schema;
    const names = Object.keys(properties);
    if (names.length > 0) return ['object of ', joined(names.map(code), ', ')];
    return typeof others === 'object' ? ['object of ', schemaText({ ...others })] : 'object';
  });
}

/** A schema in a few words: its type, its bounds and its default. */
export function schemaText(schema: JsonSchema): Content {
  const { format, pattern, default: byDefault } = schema;
  const details: (Content | undefined)[] = [
    range(schema.minimum, schema.maximum, ''),
    range(schema.minLength, schema.maxLength, ' characters'),
    range(schema.minItems, schema.maxItems, ' entries'),
    format === undefined ? undefined : String(format),
    pattern === undefined ? undefined : ['pattern ', code(pattern)],
    byDefault === undefined ? undefined : ['default ', code(byDefault)],
  ];
  const types = alternatives(schema);
  const present = types.filter((type) => type !== 'null');
  const given = details.filter((detail) => detail !== undefined);
  const text = [joined(present, ' or '), ...given, ...(types.includes('null') ? ['or null'] : [])];
  return joined(text, ', ');
}

/** The properties of an object: their types, and what they mean. */
export function propertyTable(caption: string, { properties, required }: JsonSchema): Html | null {
  const needed = required ?? [];
  const rows = Object.entries(properties ?? {}).map(([name, schema]) => [
    code(name),
    schemaText(schema),
    prose(`${needed.includes(name) ? 'Required. ' : ''}${schema.description ?? ''}`),
  ]);
  return table(caption, ['Property', 'Type', 'Meaning'], rows);
}

/** A schema of the document, closed until a reader opens it. */
export function schemaSection(name: string, schema: JsonSchema): Html {
  const text = schema.properties ? propertyTable('Properties', schema) : schemaText(schema);
  return html`<details id="schema-${name}" class="operation">
<summary><h3>${name}</h3></summary>
${text}</details>`;
}
