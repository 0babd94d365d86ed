import * as v from 'valibot';
import { type Db, sql } from '../postgres/sql.ts';
import { translationsSchema } from '../schema/values/locale.ts';

// Pictures at addresses of other sites (`foreign_pictures`); triggers note them.

/** Why an address shows no picture: there is something else, a refusal, or no answer. */
const PICTURE_PROBLEMS = ['page', 'status', 'silent'] as const;
const problem = v.picklist(PICTURE_PROBLEMS);

const waitingSchema = v.object({
  tenant_id: v.number(),
  field: v.string(),
  dish_id: v.number(),
  url: v.string(),
});
type WaitingPicture = v.InferOutput<typeof waitingSchema>;

/**
 * Takes up to `limit` pictures that are to be looked at. A worker that ends before it has noted what it
 * saw leaves them to the others after `giveBackAfter` ms.
 */
export function takePictures(db: Db, limit: number, giveBackAfter: number) {
  return db.any(sql.type(waitingSchema)`
    update foreign_pictures f set next_look_at = now() + ${giveBackAfter} * interval '1 millisecond'
    where ctid = any (array(
      select ctid from foreign_pictures where next_look_at <= now()
      order by next_look_at limit ${limit} for update skip locked
    ))
    returning tenant_id, field, dish_id, url
  `);
}

/** The result of a look at an address. */
export interface PictureLook {
  /** Null: a picture. */
  problem: v.InferOutput<typeof problem> | null;
  /** The status of the answer; null where it says nothing. */
  status: number | null;
}

/** Notes what a look has found. One that found no picture is repeated after `lookAgainAfter` ms. */
export async function noteLook(
  db: Db,
  { tenant_id, field, dish_id, url }: WaitingPicture,
  { problem, status }: PictureLook,
  lookAgainAfter: number,
): Promise<void> {
  await db.run(sql.nothing`
    update foreign_pictures set looked_at = now(), problem = ${problem}, status = ${status}::integer,
      next_look_at = case when ${problem}::text is not null
        then now() + ${lookAgainAfter} * interval '1 millisecond' end
    where tenant_id = ${tenant_id} and field = ${field} and dish_id = ${dish_id} and url = ${url}
  `);
}

const brokenSchema = v.object({
  field: v.string(),
  /** 0 where the settings name it. */
  dish_id: v.number(),
  url: v.string(),
  name: translationsSchema,
  problem,
  status: v.nullable(v.number()),
  looked_at: v.instance(Date),
});
export type BrokenPicture = v.InferOutput<typeof brokenSchema>;

/** The addresses of other sites that show no picture and are in use, of one dish perhaps. */
export function findBrokenPictures(
  db: Db,
  tenantId: number,
  limit: number,
  dishId: number | null = null,
) {
  return db.any(sql.type(brokenSchema)`
    select f.field, f.dish_id, f.url, coalesce(d.name, '{}') as name,
      f.problem, f.status, f.looked_at
    from foreign_pictures f
    join settings s on s.tenant_id = f.tenant_id
    left join dishes d on d.tenant_id = f.tenant_id and d.id = f.dish_id and d.deleted_at is null
    where f.tenant_id = ${tenantId} and f.problem is not null
      and (${dishId}::integer is null or f.dish_id = ${dishId})
      and case f.field
        when 'photo_url' then d.id is not null and d.photo_id is null
        when 'logo_url' then s.logo_photo_id is null
        else s.cover_photo_id is null
      end
    order by f.field, f.dish_id limit ${limit}
  `);
}
