import * as v from 'valibot';
import { column, type Db, sql } from '../postgres/sql.ts';
import { constants } from '../runtime/constants.ts';
import type { MediaName } from '../schema/photo.ts';
import { records, referencesTo } from '../schema/registry.ts';
import { translationsSchema } from '../schema/values/locale.ts';
import { naming } from './deletions.ts';

/** A photo as it was sent, until a worker has made its files. */
export interface Upload {
  tenantId: number;
  /** That of the write that will create the photo. */
  id: string;
  /** Who sends it, as in `writes`. */
  tokenId: number;
  content: Buffer;
}

/**
 * Keeps an upload and returns its turn; null when as many of the restaurant wait as may. Lower turns
 * come first: an upload stands behind all of its restaurant, and beside the first ones of the others.
 */
export function saveUpload(db: Db, { tenantId, id, tokenId, content }: Upload) {
  return db.maybeOne(sql.value(v.number())`
    insert into photo_uploads (tenant_id, id, token_id, content, turn)
    select ${tenantId}, ${id}::uuid, ${tokenId}, ${sql.binary(content)},
      coalesce(greatest((select min(turn) from photo_uploads), max(turn) + 1), 0)
    from photo_uploads where tenant_id = ${tenantId}
    having count(*) < ${constants.maxWaitingUploads}
    returning turn
  `);
}

const uploadSchema = v.object({ token_id: v.number(), content: v.instance(Buffer) });

/** Null when it is finished. */
export function findUpload(db: Db, tenantId: number, id: string) {
  return db.maybeOne(sql.type(uploadSchema)`
    select token_id, content from photo_uploads where tenant_id = ${tenantId} and id = ${id}
  `);
}

/** Who sent an upload that waits; null when none of this id does. */
export function findUploadSender(db: Db, tenantId: number, id: string): Promise<number | null> {
  return db.maybeOne(sql.value(v.number())`
    select token_id from photo_uploads where tenant_id = ${tenantId} and id = ${id}
  `);
}

/** @returns whether it was still there */
export function deleteUpload(db: Db, tenantId: number, id: string): Promise<boolean> {
  return db.touches(sql.nothing`
    delete from photo_uploads where tenant_id = ${tenantId} and id = ${id}
  `);
}

/** The bytes of the file `f`, its own ones or those that the restaurants of a chain share. */
const bytes = sql.fragment`coalesce(
  f.content, (select c.content from photo_contents c where c.id = f.content_id)
)`;

/** A file of a photo; its width is 0 for the form in which the photo is kept. */
export interface PhotoFile {
  width: number;
  format: string;
  content: Buffer;
}

const BYTES_PER_MB = 1_048_576;
const roomSchema = v.object({ used: v.number(), quota: v.nullable(v.number()) });

/**
 * Stores the files of a photo unless the restaurant's photos would take more than `maxBytes` with them,
 * or more than its quota. Says whether it did. Files that are there already stay. Restaurants store
 * photos one after the other. It belongs in a transaction.
 */
export async function storeFiles(
  db: Db,
  tenantId: number,
  digest: string,
  files: readonly PhotoFile[],
  maxBytes: number,
): Promise<boolean> {
  await db.run(sql.nothing`
    select from pg_advisory_xact_lock(hashtext('lavagna photos'), ${tenantId})
  `);
  const { used, quota } = await db.one(sql.type(roomSchema)`
    select coalesce(sum(octet_length(${bytes})), 0)::float8 as used,
      (select max_photos_mb from tenants where id = ${tenantId}) as quota
    from photo_files f
    where tenant_id = ${tenantId} and digest <> ${digest} and (
      -- Those of deleted photos do not count, and those of photos that are being made do.
      exists (select from photos p where p.tenant_id = f.tenant_id
        and p.external_id = f.digest and p.deleted_at is null)
      or not exists (select from photos p where p.tenant_id = f.tenant_id
        and p.external_id = f.digest))
  `);
  const own = files.reduce((sum, { content }) => sum + content.length, 0);
  const most = Math.min(maxBytes, quota === null ? maxBytes : quota * BYTES_PER_MB);
  if (used + own > most) return false;
  await db.run(sql.nothing`
    insert into photo_files (tenant_id, digest, width, format, content)
    select ${tenantId}, ${digest}, n.* from unnest(
      ${column(files, ({ width }) => width, 'int4')},
      ${column(files, ({ format }) => format, 'text')},
      ${column(files, ({ content }) => content, 'bytea')}
    ) as n on conflict (tenant_id, digest, width, format) do nothing
  `);
  return true;
}

/**
 * Gives a restaurant the files of another one's photos, whose bytes both share from then on; files that
 * are there already stay. It belongs in a transaction.
 */
export async function copyFiles(
  db: Db,
  fromId: number,
  tenantId: number,
  digests: readonly string[],
): Promise<void> {
  if (digests.length === 0) return;
  const named = sql.array(digests, 'text');
  await db.run(sql.nothing`
    with own as materialized (
      select digest, width, format, content from photo_files
      where tenant_id = ${fromId} and digest = any (${named}) and content is not null for update
    ), numbered as materialized (
      select *, nextval(pg_get_serial_sequence('photo_contents', 'id')) as id from own
    ), shared as (
      insert into photo_contents (id, content) select id, content from numbered
    )
    update photo_files f set content = null, content_id = n.id from numbered n
    where f.tenant_id = ${fromId} and f.digest = n.digest and f.width = n.width
      and f.format = n.format
  `);
  await db.run(sql.nothing`
    insert into photo_files (tenant_id, digest, width, format, content_id)
    select ${tenantId}, digest, width, format, content_id from photo_files
    where tenant_id = ${fromId} and digest = any (${named})
    on conflict (tenant_id, digest, width, format) do nothing
  `);
}

/** A file of a photo that the restaurant of a host has; null when it has none of that name. */
export function findMedia(db: Db, tenantId: number, { digest, width, format }: MediaName) {
  return db.maybeOne(sql.value(v.instance(Buffer))`
    select ${bytes} as content from photo_files f
    where tenant_id = ${tenantId} and digest = ${digest} and width = ${width}
      and format = ${format} and width > 0
      and exists (select from photos p where p.tenant_id = f.tenant_id
        and p.external_id = f.digest and p.deleted_at is null)
  `);
}

const measuredSchema = v.object({
  ...{ digest: v.string(), width: v.number(), format: v.string(), bytes: v.number() },
});

/** The bytes of the files of photos in a format. */
export function measureMedia(
  db: Db,
  tenantId: number,
  digests: readonly string[],
  format: MediaName['format'],
) {
  return db.any(sql.type(measuredSchema)`
    select digest, width, format, octet_length(${bytes}) as bytes from photo_files f
    where tenant_id = ${tenantId} and digest = any (${sql.array(digests, 'text')})
      and format = ${format} and width > 0
  `);
}

const keptSchema = v.object({ format: v.string(), content: v.instance(Buffer) });

/** The form in which a photo is kept. */
export function findKeptForm(db: Db, tenantId: number, digest: string) {
  return db.maybeOne(sql.type(keptSchema)`
    select format, ${bytes} as content from photo_files f
    where tenant_id = ${tenantId} and digest = ${digest} and width = 0
  `);
}

/** Whether anything names the photo `r`, deleted records that can be restored included. */
const isNamed = sql.join(referencesTo(records.photos).map(naming), ' or ');

/** Notes which photos nothing names any more, and which are named again. */
export async function notePhotoUse(db: Db): Promise<void> {
  await db.run(sql.nothing`
    update photos r set unused_since = case when r.unused_since is null then now() end
    where r.deleted_at is null and (r.unused_since is null) = (not (${isNamed}))
  `);
}

const unusedSchema = v.object({ tenant_id: v.number(), id: v.number() });

/** Photos that nothing has named for `unusedPhotoDays`. */
export function findUnusedPhotos(db: Db) {
  return db.any(sql.type(unusedSchema)`
    select r.tenant_id, r.id from photos r
    where r.deleted_at is null and not (${isNamed})
      and r.unused_since < now() - make_interval(days => ${constants.unusedPhotoDays})
    order by r.tenant_id, r.id limit ${constants.removalBatch}
  `);
}

const listedSchema = v.object({
  id: v.number(),
  alt: translationsSchema,
  width: v.number(),
  height: v.number(),
  bytes: v.number(),
  /** The path of its smallest JPEG. */
  thumbnail: v.string(),
});
export type ListedPhoto = v.InferOutput<typeof listedSchema>;

/** The latest photos of a restaurant, or one of them. */
export function listPhotos(db: Db, tenantId: number, limit: number, id: number | null = null) {
  return db.any(sql.type(listedSchema)`
    select id, alt, width, height, bytes, sources->'jpeg'->0->>'url' as thumbnail
    from photos where tenant_id = ${tenantId} and deleted_at is null
      and (${id}::integer is null or id = ${id})
    order by id desc limit ${limit}
  `);
}

/** The room that a restaurant's photos take, in bytes, and its quota in MiB; null where it has none. */
export function findPhotoRoom(db: Db, tenantId: number) {
  return db.one(sql.type(roomSchema)`
    select t.max_photos_mb as quota, coalesce((
      select sum(bytes) from photos where tenant_id = t.id and deleted_at is null
    ), 0)::float8 as used
    from tenants t where t.id = ${tenantId}
  `);
}

/** A restaurant's picture for shared links, as PNG; null when it has another one or none. */
export function findLinkPreview(db: Db, tenantId: number, digest: string): Promise<Buffer | null> {
  return db.maybeOne(sql.value(v.instance(Buffer))`
    select content from link_previews where tenant_id = ${tenantId} and digest = ${digest}
  `);
}

export async function saveLinkPreview(db: Db, tenantId: number, digest: string, content: Buffer) {
  await db.run(sql.nothing`
    insert into link_previews (tenant_id, digest, content)
    select id, ${digest}, ${sql.binary(content)} from tenants where id = ${tenantId}
    on conflict (tenant_id) do update set digest = excluded.digest, content = excluded.content
  `);
}
