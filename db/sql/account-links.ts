import * as v from 'valibot';
import { type Db, sql } from '../postgres/sql.ts';

// Links that are valid once. The database holds a hash of each: its maker shows or mails it.

const linkKinds = ['invitation', 'password', 'email'] as const;
type LinkKind = (typeof linkKinds)[number];

interface NewLink {
  tenantId: number;
  userId: number;
  kind: LinkKind;
  /** SHA-256 of the link's secret. */
  hash: Buffer;
  /** The address that an `email` confirms. */
  email?: string;
  /** How long it is valid, in ms. */
  validity: number;
}

/** Stores a link; the user's former one of this kind is valid no more. */
export async function saveLink(db: Db, link: NewLink): Promise<void> {
  const { tenantId, userId, kind, hash, email = null, validity } = link;
  await db.run(sql.nothing`
    insert into account_links (tenant_id, user_id, kind, hash, email, expires_at)
    values (${tenantId}, ${userId}, ${kind}, ${sql.binary(hash)}, ${email},
      now() + make_interval(secs => ${validity / 1_000}))
    on conflict (tenant_id, user_id, kind) do update set
      hash = excluded.hash, email = excluded.email, created_at = now(),
      expires_at = excluded.expires_at
  `);
}

const linkSchema = v.object({
  user_id: v.number(),
  kind: v.picklist(linkKinds),
  email: v.nullable(v.string()),
});
/** A link that is valid. */
export type Link = v.InferOutput<typeof linkSchema>;

/** The link with this hash, or null when there is none, or its time is over. It stays valid. */
export function findLink(db: Db, tenantId: number, hash: Buffer): Promise<Link | null> {
  return db.maybeOne(sql.type(linkSchema)`
    select user_id, kind, email from account_links
    where tenant_id = ${tenantId} and hash = ${sql.binary(hash)} and expires_at > now()
  `);
}

/** The same, for the last time: of two who use a link at once one finds it. */
export function takeLink(db: Db, tenantId: number, hash: Buffer): Promise<Link | null> {
  return db.maybeOne(sql.type(linkSchema)`
    delete from account_links
    where tenant_id = ${tenantId} and hash = ${sql.binary(hash)} and expires_at > now()
    returning user_id, kind, email
  `);
}

/** Makes a user's links of some kinds invalid. */
export async function dropLinks(
  db: Db,
  tenantId: number,
  userId: number,
  kinds: readonly LinkKind[],
): Promise<void> {
  await db.run(sql.nothing`
    delete from account_links
    where tenant_id = ${tenantId} and user_id = ${userId}
      and kind = any (${sql.array(kinds, 'text')})
  `);
}
