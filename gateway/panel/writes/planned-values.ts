import type { Operation } from '../../../db/schema/bulk.ts';
import type { Field, Fields } from '../../../db/schema/field.ts';
import { defaultsOf, type RecordType } from '../../../db/schema/record.ts';
import { referencesFrom } from '../../../db/schema/registry.ts';
import { textsIn } from '../../../db/schema/values/locale.ts';
import { externalName } from '../../../db/schema/values/record-id.ts';
import { type Row, rowsIn } from '../../../db/schema/values/row.ts';
import { findIdByKey } from '../../../db/sql/admin-records.ts';
import type { Desk } from '../desk.ts';
import type { Option } from '../forms/inputs.ts';
import { nameIn } from '../texts/choose.ts';
import { beginningOf, bodiesFor, findStepsBefore, keyOf } from './into-release.ts';

/** The objects of a list that a body has, with their translated parts as they are stored. */
function storedRows(parts: Fields, rows: unknown): Row[] {
  return rowsIn(rows).map((row) =>
    Object.fromEntries(
      Object.entries(parts).map(([name, { isTranslated, parts: inner }]) => [
        isTranslated ? `${name}_translations` : name,
        inner ? storedRows(inner, row[name]) : row[name],
      ]),
    ),
  );
}

/** A record as admins see it, with a body of the API. */
function withBody({ fields }: RecordType, shown: Row, body: Row): Row {
  const after = { ...shown };
  for (const [name, value] of Object.entries(body)) {
    const field: Field | undefined = fields[name];
    if (!field) continue;
    if (field.isTranslated) after[`${name}_translations`] = value;
    else if (name === 'allergens') {
      Object.assign(after, { allergens: value ?? [], allergens_declared: value !== null });
    } else if (field.kind === 'moment') {
      Object.assign(after, {
        is_sold_out: value !== null,
        [name]: value === 'indefinitely' ? null : value,
      });
    } else if (field.parts) after[name] = storedRows(field.parts, value);
    else after[name] = value;
  }
  return after;
}

/** A record as it will be in the release that the browser has chosen: its own page shows it so. */
export async function withPlanned(
  desk: Desk,
  record: RecordType,
  id: number | null,
  shown: Row,
): Promise<Row> {
  const { chosen } = desk;
  if (!chosen) return shown;
  const releases = [...beginningOf(await findStepsBefore(desk, chosen.release)), chosen.release];
  const bodies = bodiesFor(releases, record.resource, id);
  return bodies.reduce((after: Row, body) => withBody(record, after, body), shown);
}

/** Marks the value of a choice that names a record which the release will make. */
const NEW = 'new:';

/** The records of a kind that the chosen release makes, as options. */
export function plannedOptions({ chosen, request }: Desk, resource: string): Option[] {
  const operations = chosen?.release.operations ?? [];
  return operations
    .filter((one) => one.resource === resource && one.action === 'create' && keyOf(one) !== null)
    .map((one) => ({
      value: NEW + keyOf(one),
      label: nameIn(textsIn(one.data?.name), request.language),
    }));
}

/** A record that the chosen release makes, as admins would see it; null for none. */
export async function findPlanned(desk: Desk, record: RecordType, key: string) {
  const operations = desk.chosen?.release.operations ?? [];
  const isIt = (one: Operation) =>
    one.resource === record.resource && one.action === 'create' && keyOf(one) === key;
  const found = operations.find(isIt);
  if (!found) return null;
  const own: Row = withBody(record, defaultsOf(record), found.data ?? {});
  for (const { field, to, isSingle } of referencesFrom(record)) {
    const named = found.data?.[externalName(field)];
    if (!isSingle || typeof named !== 'string') continue;
    const planned = plannedOptions(desk, to.resource).find(({ value }) => value === NEW + named);
    own[field] =
      planned?.value ?? (await findIdByKey(desk.db, to.resource, desk.request.tenantId, named));
  }
  return own;
}

export function isPlanned(value: string): boolean {
  return value.startsWith(NEW) && value.length > NEW.length;
}

/** A body whose references to records that the release makes name them by their external ids. */
export function withPlannedReferences(input: Row): Row {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) =>
      typeof value === 'string' && isPlanned(value) && name.endsWith('_id')
        ? [externalName(name), value.slice(NEW.length)]
        : [name, value],
    ),
  );
}
