import * as v from 'valibot';
import { type Db, sql } from '../postgres/sql.ts';
import { isoMoment } from './record-columns.ts';
import { headSchema, TEMPLATE_SEPARATOR } from './snapshots.ts';

/** A menu as a release would make it, as it is stored. */
interface NewPreview {
  /** As JSON. */
  head: string;
  templates: readonly string[];
}

/** Replaces the preview of a release, and notes that it is not wanted any more. */
export async function savePreview(
  db: Db,
  tenantId: number,
  releaseId: number,
  { head, templates }: NewPreview,
): Promise<void> {
  await db.run(sql.nothing`
    with made as (
      update releases set is_preview_wanted = false
      where tenant_id = ${tenantId} and id = ${releaseId}
    )
    insert into release_previews (tenant_id, release_id, head, templates)
    values (${tenantId}, ${releaseId}, ${head}, ${templates.join(TEMPLATE_SEPARATOR)})
    on conflict (tenant_id, release_id) do update
      set head = excluded.head, templates = excluded.templates, made_at = now()
  `);
}

/** Forgets the preview of another state of the menu. */
export async function deletePreview(db: Db, tenantId: number, releaseId: number): Promise<void> {
  await db.run(sql.nothing`
    delete from release_previews where tenant_id = ${tenantId} and release_id = ${releaseId}
  `);
}

const previewSchema = v.object({
  name: v.string(),
  state: v.string(),
  starts_at: v.nullable(v.string()),
  /** Whether it is that of the present menu and of the release as it is now. */
  is_fresh: v.boolean(),
  has_problems: v.boolean(),
  head: v.nullable(headSchema),
  templates: v.nullable(v.string()),
  timezone: v.string(),
});

export type PreviewKey = { id: number } | { secret: string };

const which = (key: PreviewKey) =>
  'id' in key ? sql.fragment`r.id = ${key.id}` : sql.fragment`r.secret = ${key.secret}`;

/**
 * The preview of a release that waits; null when there is no such release. Where it is not fresh, a
 * worker is asked to make it.
 */
export function findPreview(db: Db, tenantId: number, key: PreviewKey) {
  return db.maybeOne(sql.type(previewSchema)`
    with asked as (
      select r.*, p.head, p.templates,
        r.is_checked and not r.is_preview_wanted and p.made_at is not null
          and p.made_at >= r.updated_at as is_fresh
      from releases r
      left join release_previews p on p.tenant_id = r.tenant_id and p.release_id = r.id
      where r.tenant_id = ${tenantId} and ${which(key)}
    ), wanted as (
      update releases r set is_preview_wanted = true from asked
      where r.tenant_id = asked.tenant_id and r.id = asked.id and not asked.is_fresh
        and not r.is_preview_wanted and r.state in ('draft', 'scheduled')
    )
    select a.name, a.state, ${isoMoment(sql.fragment`a.starts_at`)} as starts_at, a.is_fresh,
      json_array_length(a.problems) > 0 as has_problems,
      case when a.is_fresh then a.head end as head,
      case when a.is_fresh then a.templates end as templates, s.timezone
    from asked a join settings s on s.tenant_id = a.tenant_id
  `);
}
