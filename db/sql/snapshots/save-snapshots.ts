import { type Statement, sql } from '../../postgres/sql.ts';
import { type VersionNotice, versionsChannel } from '../../schema/notices.ts';
import { SNAPSHOT_FORMAT, TEMPLATE_SEPARATOR } from './stored-menu.ts';

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

/**
 * The statement that brings a tenant and its stored snapshots to a version, which is announced when
 * the transaction commits.
 */
export function saveSnapshotsStatement(change: SnapshotChange): Statement {
  const { notice, head, sections, sectionIds } = change;
  const { tenant_id: tenantId, version } = notice;
  const integers = (values: readonly number[]) => sql.array(values, 'int4');
  const templates = sections.map(({ template }) => template).join(TEMPLATE_SEPARATOR);
  const gone = sectionIds
    ? sql.fragment`
      gone as (
        delete from snapshot_sections
        where tenant_id = ${tenantId} and section_id <> all (${integers(sectionIds)})
      ),`
    : sql.fragment``;
  return sql.nothing`
    with bumped as (
      update tenants set version = ${version} where id = ${tenantId} and version <> ${version}
    ), ${gone} saved_sections as (
      insert into snapshot_sections (tenant_id, section_id, version, template)
      select ${tenantId}, section_id, ${version}, template
      from unnest(
        ${integers(sections.map(({ id }) => id))},
        -- Long texts travel as one, which needs no escapes on either side.
        string_to_array(${templates}::text, ${TEMPLATE_SEPARATOR})
      ) as n (section_id, template)
      on conflict (tenant_id, section_id) do update
        set version = excluded.version, template = excluded.template
        where snapshot_sections.template <> excluded.template
    ), saved as (
      insert into snapshots (tenant_id, version, format, head)
      values (${tenantId}, ${version}, ${SNAPSHOT_FORMAT}, ${head})
      on conflict (tenant_id) do update
        set version = excluded.version, format = excluded.format, head = excluded.head
    )
    select from pg_notify(${versionsChannel}, ${JSON.stringify({ ...notice, ...FOR_FORMER_GATEWAYS })})
  `;
}
