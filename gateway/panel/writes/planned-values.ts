import { createForecast } from '../../../db/actions/plan-release.ts';
import type { Draft } from '../../../db/menu/draft.ts';
import { currentOf } from '../../../db/menu/prepare-input.ts';
import type { Operation } from '../../../db/schema/bulk.ts';
import {
  localizeInput,
  newRow,
  type RecordType,
  shownRow,
  toSent,
  writtenRow,
} from '../../../db/schema/record.ts';
import { referencesFrom } from '../../../db/schema/registry.ts';
import type { Release } from '../../../db/schema/release.ts';
import { checkInput, type InputSettings } from '../../../db/schema/validation/check-input.ts';
import type { Locale } from '../../../db/schema/values/locale.ts';
import { externalName } from '../../../db/schema/values/record-id.ts';
import { isCollection } from '../../../db/schema/values/resource.ts';
import type { Row } from '../../../db/schema/values/row.ts';
import { findIdByKey } from '../../../db/sql/admin-records.ts';
import { loadMenu } from '../../../db/sql/menus.ts';
import { listReleases } from '../../../db/sql/releases.ts';
import type { Desk } from '../desk.ts';
import type { Option } from '../forms/inputs.ts';
import { sentName } from '../texts/choose.ts';

/** The menu before a release, and with it, as workers would find it: without what does not fit. */
export async function planAhead(
  { db, request: { tenantId }, now }: Desk,
  release: Release,
): Promise<Draft> {
  const menu = await loadMenu(db, tenantId);
  const all = await listReleases(db, tenantId);
  return (await createForecast(db, tenantId, menu, all, new Date(now()))(release)).draft;
}

/** The fields of a body that the rules allow, as the body that would write them. */
function allowedInput({ change }: RecordType, body: Row, settings: InputSettings): Row {
  const checked = checkInput(change, body, settings);
  if ('input' in checked) return checked.input;
  const left = { ...body };
  for (const path of Object.keys(checked.errors)) delete left[path.split('.')[0] ?? ''];
  const rest = checkInput(change, left, settings);
  return 'input' in rest ? rest.input : {};
}

/** A record's row as a body would leave it; fields that the rules refuse stay as they are. */
export function rowWith(desk: Desk, record: RecordType, row: Row, body: Row): Row {
  const { tenant } = desk.request.context.restaurant;
  const allowed = allowedInput(record, body, tenant);
  // Programs may send a plain text, which is one in the default language.
  const { default_locale = tenant.defaultLocale } = allowed;
  const sent = localizeInput(record, allowed, default_locale as Locale, row);
  const input = { ...sent, ...record.derive?.(sent, { ...toSent(record, row), ...sent }, row) };
  return { ...row, ...writtenRow(record, sent, input) };
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
  const { resource } = record;
  const before = currentOf((await planAhead(desk, chosen.release)).before, resource, id);
  const isNamed = ({ id: named, external_id: key }: Operation) =>
    named === id || (typeof key === 'string' && key === before?.external_id);
  const isIt = (one: Operation) =>
    one.resource === resource &&
    (one.action === 'update' || one.action === 'upsert') &&
    (!isCollection(resource) || isNamed(one));
  const row = chosen.release.operations
    .filter(isIt)
    .reduce((one: Row, { data = {} }) => rowWith(desk, record, one, data), before ?? shown);
  return shownRow(record, row);
}

/** Marks the value of a choice that names a record which the release will make. */
const NEW = 'new:';

/** The external id of a record that an operation makes; null for none. */
export function keyOf({ data, external_id }: Operation): string | null {
  const key = data?.external_id ?? external_id;
  return typeof key === 'string' ? key : null;
}

/** The records of a kind that the chosen release makes, as options. */
export function plannedOptions({ chosen, request }: Desk, resource: string): Option[] {
  const operations = chosen?.release.operations ?? [];
  return operations
    .filter((one) => one.resource === resource && one.action === 'create' && keyOf(one) !== null)
    .map((one) => ({
      value: NEW + keyOf(one),
      label: sentName(one.data?.name, request.language),
    }));
}

/** A record that the chosen release makes, as admins would see it; null for none. */
export async function findPlanned(desk: Desk, record: RecordType, key: string) {
  const { chosen, tenantId } = desk;
  const operations = chosen?.release.operations ?? [];
  const isIt = (one: Operation) =>
    one.resource === record.resource && one.action === 'create' && keyOf(one) === key;
  const found = operations.find(isIt);
  if (!found) return null;
  const body = found.data ?? {};
  const row = rowWith(desk, record, newRow(record, {}, {}), body);
  const own = { ...shownRow(record, row) };
  for (const { field, to, isSingle } of referencesFrom(record)) {
    const named = body[externalName(field)];
    if (!isSingle || typeof named !== 'string') continue;
    const planned = plannedOptions(desk, to.resource).find(({ value }) => value === NEW + named);
    own[field] = planned?.value ?? (await findIdByKey(desk.db, to.resource, tenantId, named));
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
