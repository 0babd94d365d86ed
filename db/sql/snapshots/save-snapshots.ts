import { column, type Fragment, type Statement, sql, textColumn } from '../../postgres/sql.ts';
import { type VersionNotice, versionsChannel } from '../../schema/notices.ts';
import { SNAPSHOT_FORMAT } from './stored-menu.ts';

/** A version of a tenant's snapshots, as far as it differs from what is stored. */
export interface SnapshotChange {
  /** For the gateways. */
  notice: VersionNotice;
  /** As JSON. */
  head: string;
  /** Sections that are new or changed. */
  sections: { id: number; template: string }[];
  /** All sections that there are: what is stored of others goes. Null: nothing has to go. */
  sectionIds: readonly number[] | null;
}

/**
 * Gateways of the former release run until they are restarted, and read this in a notice. They also
 * read `snapshot_encodings` and columns of `snapshots` that nothing fills any more. A later release
 * drops all of it.
 */
const FOR_FORMER_GATEWAYS = { encoded: false };

/** Deletes the stored sections that a menu has no more. */
function deleteGone(changes: readonly SnapshotChange[]): Fragment {
  const counted = changes.filter(({ sectionIds }) => sectionIds !== null);
  if (counted.length === 0) return sql.fragment``;
  const kept = counted.flatMap(({ notice, sectionIds }) =>
    (sectionIds ?? []).map((id) => ({ id, tenantId: notice.tenant_id })),
  );
  return sql.fragment`gone as (
    delete from snapshot_sections s
    where s.tenant_id = any (${column(counted, ({ notice }) => notice.tenant_id, 'int4')})
      and (s.tenant_id, s.section_id) not in (
        select * from unnest(
          ${column(kept, ({ tenantId }) => tenantId, 'int4')},
          ${column(kept, ({ id }) => id, 'int4')}
        )
      )
  ),`;
}

/**
 * The statement that brings tenants and their stored snapshots to a version each, which is announced
 * when the transaction commits.
 *
 * @param changes one at least, each of another tenant
 */
export function saveSnapshotsStatement(changes: readonly SnapshotChange[]): Statement {
  const sections = changes.flatMap(({ notice, sections }) =>
    sections.map((section) => ({ ...section, ...notice })),
  );
  return sql.nothing`
    with given as materialized (
      select * from unnest(
        ${column(changes, ({ notice }) => notice.tenant_id, 'int4')},
        ${column(changes, ({ notice }) => notice.version, 'int8')},
        ${textColumn(changes, ({ head }) => head)},
        ${textColumn(changes, ({ notice }) => JSON.stringify({ ...notice, ...FOR_FORMER_GATEWAYS }))}
      ) as n (tenant_id, version, head, notice)
    ), bumped as (
      update tenants t set version = given.version from given
      where t.id = given.tenant_id and t.version <> given.version
    ), ${deleteGone(changes)} saved_sections as (
      insert into snapshot_sections (tenant_id, section_id, version, template)
      select * from unnest(
        ${column(sections, ({ tenant_id }) => tenant_id, 'int4')},
        ${column(sections, ({ id }) => id, 'int4')},
        ${column(sections, ({ version }) => version, 'int8')},
        ${textColumn(sections, ({ template }) => template)}
      )
      on conflict (tenant_id, section_id) do update
        set version = excluded.version, template = excluded.template
        where snapshot_sections.template <> excluded.template
    ), saved as (
      insert into snapshots (tenant_id, version, format, head)
      select tenant_id, version, ${SNAPSHOT_FORMAT}::int, head from given
      on conflict (tenant_id) do update
        set version = excluded.version, format = excluded.format, head = excluded.head
    )
    select from given, pg_notify(${versionsChannel}, given.notice)
  `;
}
