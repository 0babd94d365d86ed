import * as v from 'valibot';
import { type Db, sql } from '../postgres/sql.ts';
import type { PlatformScope } from '../schema/platform.ts';

// Tokens of operators' programs.

const shownSchema = v.object({
  id: v.number(),
  name: v.string(),
  scopes: v.array(v.string()),
  created_at: v.date(),
  expires_at: v.nullable(v.date()),
  revoked_at: v.nullable(v.date()),
  last_used_at: v.nullable(v.date()),
});
/** A token as it is shown, without its value. */
export type PlatformToken = v.InferOutput<typeof shownSchema>;
const columns = sql.columnsOf(shownSchema);

interface NewToken {
  name: string;
  scopes: readonly PlatformScope[];
  hash: Buffer;
  /** Null: until it is revoked. */
  expiresInDays: number | null;
}

export function insertPlatformToken(db: Db, { name, scopes, hash, expiresInDays }: NewToken) {
  return db.one(sql.type(shownSchema)`
    insert into platform_tokens (name, scopes, hash, expires_at)
    values (${name}, ${sql.array(scopes, 'text')}, ${sql.binary(hash)},
      now() + make_interval(days => ${expiresInDays}))
    returning ${columns}
  `);
}

/** All of them, those that are revoked or have expired last. */
export function listPlatformTokens(db: Db): Promise<readonly PlatformToken[]> {
  return db.any(sql.type(shownSchema)`
    select ${columns} from platform_tokens
    order by revoked_at is not null or coalesce(expires_at <= now(), false), id
  `);
}

/** @returns whether there was an active one */
export function revokePlatformToken(db: Db, id: number): Promise<boolean> {
  return db.touches(sql.nothing`
    update platform_tokens set revoked_at = now() where id = ${id} and revoked_at is null
  `);
}

const usedSchema = v.object({ scopes: v.array(v.string()), hash: v.instance(Buffer) });

/** The active token with this id, or null. Its use is stored once a minute. */
export function usePlatformToken(db: Db, id: number) {
  return db.maybeOne(sql.type(usedSchema)`
    with found as (
      select id, scopes, hash, last_used_at from platform_tokens
      where id = ${id} and revoked_at is null and (expires_at is null or expires_at > now())
    ), used as (
      update platform_tokens t set last_used_at = now() from found
      where t.id = found.id
        and (found.last_used_at is null or found.last_used_at < now() - interval '1 minute')
    )
    select scopes, hash from found
  `);
}
